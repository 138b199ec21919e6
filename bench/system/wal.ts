import type { HotPool } from '../../db/core/hot-pool.ts';
import { countsStatements } from './statements.ts';

/** Partitions of all periods count together. Records of several relations count for the first one. */
const partsSql = `
select coalesce(regexp_replace(c.relname, '_[0-9]+(?=_|$)', '_N'), 'other') as relation,
  w.resource_manager || ' ' || w.record_type as record, count(*)::float8 as records,
  sum(w.record_length - coalesce(b.pages, 0))::float8 as bytes, coalesce(sum(b.pages), 0)::float8 as "pageBytes"
from pg_get_wal_records_info($1, $2) w
left join (
  select start_lsn, min(relfilenode) filter (where block_id = 0) as relfilenode, sum(block_fpi_length) as pages
  from pg_get_wal_block_info($1, $2) group by start_lsn
) b using (start_lsn)
left join pg_class c on pg_relation_filenode(c.oid) = b.relfilenode
group by 1, 2 order by sum(w.record_length) desc`;

export interface WalSize {
  readonly bytes: number;
  /** Whole pages, written once after each checkpoint. */
  readonly pageBytes: number;
}

/** By relation and kind of record. */
export interface WalPart extends WalSize {
  readonly relation: string;
  readonly record: string;
  readonly records: number;
}

const sizeSql = `select sum(record_size)::float8 as bytes, sum(fpi_size)::float8 as "pageBytes" from pg_get_wal_stats($1, $2)`;

/** Returns the present position. A size is read from there. */
export async function walPosition(pool: HotPool): Promise<string> {
  await pool.query('create extension if not exists pg_walinspect');
  const { rows } = await pool.query<{ position: string }>('select pg_current_wal_lsn()::text as position');
  return rows[0]!.position;
}

export async function readWalSize(pool: HotPool, since: string): Promise<WalSize> {
  return (await inspect<WalSize>(pool, sizeSql, since))[0]!;
}

/** Returns what was written since a position, by descending size. Undefined without `BENCH_SPLIT`. */
export async function readWalParts(pool: HotPool, since: string): Promise<WalPart[] | undefined> {
  return countsStatements ? await inspect<WalPart>(pool, partsSql, since) : undefined;
}

/** Reads the whole write-ahead log of a run. */
const INSPECTION_MS = 3_600_000;

async function inspect<Row extends object>(pool: HotPool, sql: string, since: string): Promise<Row[]> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    const statement = { text: sql, values: [since, await walPosition(pool)], query_timeout: INSPECTION_MS };
    const { rows } = await client.query<Row>(statement);
    return rows;
  } finally {
    client.release(true);
  }
}
export interface Storage {
  readonly tableBytes: number;
  readonly updates: number;
  readonly hotUpdates: number;
  readonly autovacuums: number;
  readonly deadRows: number;
}

/** Includes partitions. */
const storageSql = `
select sum(pg_total_relation_size(relid))::float8 as "tableBytes", sum(n_tup_upd)::float8 as updates,
  sum(n_tup_hot_upd)::float8 as "hotUpdates", sum(autovacuum_count)::float8 as autovacuums,
  sum(n_dead_tup)::float8 as "deadRows"
from pg_stat_user_tables`;

export async function readStorage(pool: HotPool): Promise<Storage> {
  const { rows } = await pool.query<Storage>(storageSql);
  return rows[0]!;
}
