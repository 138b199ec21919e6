import type { HotPool } from '../core/hot-pool.ts';

/** Tables of the ledger that are written for each delivery. */
const ledgerTables = [
  'events',
  'event_keys',
  'event_keys_1',
  'event_keys_2',
  'deliveries',
  'attempts',
  'conversation_holds',
  'destinations',
] as const;

export interface TableState {
  readonly table: string;
  readonly liveRows: number;
  readonly deadRows: number;
  /** Since the last vacuum of the table or one of its partitions. Null before the first. */
  readonly vacuumSeconds: number | null;
}

export interface DatabaseState {
  /** Whether the role may see the activity of others (`pg_monitor`). */
  readonly seesOthers: boolean;
  readonly oldestTransactionSeconds: number;
  /** Transactions since the oldest snapshot that vacuum must respect. */
  readonly oldestXminAge: number;
  readonly lockWaitCount: number;
  readonly oldestLockWaitSeconds: number;
  readonly connectionCount: number;
  readonly connectionLimit: number;
  /** Written since the cluster was created. */
  readonly walBytes: number;
  /** Null without replicas, or if the role may not see them. */
  readonly replicaLagSeconds: number | null;
  readonly replicaLagBytes: number | null;
  /** Null without replication slots. */
  readonly slotRetainedBytes: number | null;
  readonly inactiveSlotCount: number;
  readonly databaseBytes: number;
  readonly tables: readonly TableState[];
}

/** Reads statistics, no tables. Without `pg_monitor`, the ages cover only the role's own sessions. */
export async function readDatabaseState(pool: HotPool): Promise<DatabaseState> {
  const [server, tables] = await Promise.all([
    pool.query<Omit<DatabaseState, 'tables'>>({ name: 'read-server-state', text: serverSql, values: [] }),
    pool.query<TableState>({ name: 'read-table-states', text: tablesSql, values: [ledgerTables] }),
  ]);
  return { ...server.rows[0]!, tables: tables.rows };
}

/**
 * A hidden session has no start of its transaction. The standby's own xmin is in its slot or in `pg_stat_replication`.
 * Waits of a partitioned lock or of a virtual transaction have no start at first.
 */
const serverSql = `
select
  pg_has_role(current_user, 'pg_read_all_stats', 'usage') as "seesOthers",
  coalesce((select extract(epoch from clock_timestamp() - min(began_at)) from (
      select xact_start as began_at from pg_stat_activity where backend_type = 'client backend'
      union all select prepared from pg_prepared_xacts
    ) as transactions), 0)::float8 as "oldestTransactionSeconds",
  coalesce((select max(age(held.xmin)) from (
      select backend_xmin as xmin from pg_stat_activity where backend_type <> 'walsender'
      union all select xmin from pg_replication_slots
      union all select catalog_xmin from pg_replication_slots
      union all select backend_xmin from pg_stat_replication
      union all select transaction from pg_prepared_xacts
    ) as held), 0)::float8 as "oldestXminAge",
  waits.count::int as "lockWaitCount",
  coalesce(waits.seconds, 0)::float8 as "oldestLockWaitSeconds",
  (select coalesce(sum(numbackends), 0) from pg_stat_database)::int as "connectionCount",
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true), '0')::int as "connectionLimit",
  (wal.position - '0/0')::float8 as "walBytes",
  replicas.seconds as "replicaLagSeconds",
  replicas.bytes as "replicaLagBytes",
  slots.bytes as "slotRetainedBytes",
  slots.inactive_count::int as "inactiveSlotCount",
  pg_database_size(current_database())::float8 as "databaseBytes"
from (
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as position
) as wal
cross join lateral (
  select count(*) as count, extract(epoch from clock_timestamp() - min(waitstart)) as seconds
  from pg_locks where not granted
) as waits
cross join lateral (
  select extract(epoch from max(replay_lag))::float8 as seconds, max(wal.position - replay_lsn)::float8 as bytes
  from pg_stat_replication where state is not null and replay_lsn is not null
) as replicas
cross join lateral (
  select max(wal.position - restart_lsn)::float8 as bytes, count(*) filter (where not active) as inactive_count
  from pg_replication_slots
) as slots`;

/** Takes no lock of a table, unlike `pg_partition_tree`: waits for locks must not hide themselves. */
const tablesSql = `
with recursive leaf (name, relid) as (
  select name, to_regclass(name) from unnest($1::text[]) as named (name)
  union all
  select leaf.name, i.inhrelid from leaf join pg_inherits i on i.inhparent = leaf.relid
)
select leaf.name as table, coalesce(sum(stats.n_live_tup), 0)::float8 as "liveRows",
  coalesce(sum(stats.n_dead_tup), 0)::float8 as "deadRows",
  extract(epoch from clock_timestamp() - max(greatest(stats.last_vacuum, stats.last_autovacuum)))::float8 as "vacuumSeconds"
from leaf
join pg_stat_user_tables stats on stats.relid = leaf.relid
group by leaf.name
order by leaf.name`;
