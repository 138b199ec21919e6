import { setTimeout as sleep } from 'node:timers/promises';
import type { ShardService } from '../db/ledger/shards/fleet.ts';
import type { Backlog } from '../db/upkeep/backlog.ts';
import type { DatabaseState } from '../db/upkeep/database-state.ts';
import type { InvariantCheckState } from '../db/upkeep/invariant-runs.ts';
import type { UpkeepState } from '../db/upkeep/upkeep-state.ts';
import type { Gauge, MetricRegistry } from './registry.ts';

export interface StateSources {
  readonly backlog: () => Promise<Backlog>;
  readonly database: () => Promise<DatabaseState>;
  readonly invariants: () => Promise<InvariantCheckState>;
  readonly shards: () => Promise<ShardService>;
  readonly upkeep: () => Promise<UpkeepState>;
  /** How long this worker has served no shard although it should. Undefined if it runs no pump. */
  readonly idleMs: () => number | undefined;
  /** Optional. How long a read may delay the exposition. Default: three seconds. */
  readonly readWithinMs?: number;
  /** Optional. Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
  /** Optional. Milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
}

/** Far below Prometheus' time-out of ten seconds, after which it would take the worker for dead. */
const READ_WITHIN_MS = 3_000;

interface Exposition {
  readonly registry: MetricRegistry;
  readonly readWithinMs: number;
  readonly now: () => number;
  readonly clock: () => number;
}

interface ShownState<Name extends string, State> {
  readonly freshForMs: number;
  readonly read: () => Promise<State>;
  readonly gauges: Readonly<Record<Name, Gauge>>;
  readonly show: (state: State) => void;
}

/** What the database says. All workers report the same values, except their own time without a shard. */
export function addStateMetrics(registry: MetricRegistry, sources: StateSources): void {
  const { readWithinMs = READ_WITHIN_MS, now = () => performance.now(), clock = () => Date.now() } = sources;
  const exposition = { registry, readWithinMs, now, clock };
  showBacklog(exposition, sources.backlog);
  showDatabase(exposition, sources.database);
  showInvariants(exposition, sources.invariants);
  showShards(exposition, sources);
  showUpkeep(exposition, sources.upkeep);
}

/**
 * Shows gauges of a state that is read at most this often, however often the metrics are scraped. If it can't be read,
 * they disappear, so that alerts notice.
 */
function showState<Name extends string, State>(
  { registry, readWithinMs, now }: Exposition,
  shown: ShownState<Name, State>,
): void {
  const { freshForMs, read, gauges, show } = shown;
  let known: { readonly state: State } | undefined;
  /** What the last read has answered, shown in place of one that takes longer. */
  let late: { readonly state: State } | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  registry.beforeExposition(async () => {
    if (now() - readAtMs >= freshForMs) {
      // Also before a read that fails, because a database in trouble must not be asked more often.
      readAtMs = now();
      const answer = read().then(
        (state) => ({ state }),
        () => undefined,
      );
      known = await Promise.race([answer, sleep(readWithinMs, undefined, { ref: false }).then(() => late)]);
      late = undefined;
      void answer.then((state) => (late = state));
      for (const gauge of Object.values<Gauge>(gauges)) gauge.clear();
    }
    if (known) show(known.state);
  });
}

function showBacklog(exposition: Exposition, read: StateSources['backlog']): void {
  const gauges = exposition.registry.gauges({
    channels_backlog_deliveries: 'Waiting deliveries by status; 100000 means that number or more.',
    channels_oldest_waiting_seconds:
      'Age of the oldest waiting delivery, including open circuits and throttled destinations.',
    channels_oldest_overdue_seconds:
      'Delay of the most overdue retry, without open circuits. A high value means that its workflow is missing.',
    channels_circuits_open: 'Destinations whose circuit is open.',
    channels_destinations_not_settling:
      'Destinations whose attempts the database refused to record in the last two minutes.',
    channels_stream_horizon_seconds:
      'Age of the oldest writing transaction of the database. Streams and listeners show nothing newer.',
  });
  showState(exposition, {
    freshForMs: 10_000,
    read,
    gauges,
    show({ waiting, oldest, overdueSeconds, circuits, notSettlingCount, horizonSeconds }) {
      for (const { count, ...labels } of waiting) gauges.channels_backlog_deliveries.set(count, labels);
      for (const { seconds, ...labels } of oldest) gauges.channels_oldest_waiting_seconds.set(seconds, labels);
      gauges.channels_oldest_overdue_seconds.set(overdueSeconds);
      for (const { reason, count } of circuits) gauges.channels_circuits_open.set(count, { reason });
      gauges.channels_destinations_not_settling.set(notSettlingCount);
      gauges.channels_stream_horizon_seconds.set(horizonSeconds);
    },
  });
}

function showDatabase(exposition: Exposition, read: StateSources['database']): void {
  const gauges = exposition.registry.gauges({
    channels_database_sees_others: '1 if the role may see the sessions of others (pg_monitor), otherwise 0.',
    channels_database_oldest_transaction_seconds: 'Age of the oldest transaction, including those that only read.',
    channels_database_oldest_xmin_transactions: 'Transactions since the oldest snapshot, whose dead rows vacuum keeps.',
    channels_database_lock_waits: 'Sessions that wait for a lock.',
    channels_database_oldest_lock_wait_seconds: 'How long the oldest of them has waited.',
    channels_database_connections: 'Connections to the cluster.',
    channels_database_connections_limit: 'Connections that roles without privileges may open.',
    channels_database_wal_bytes_total: 'Bytes of write-ahead log written.',
    channels_database_replica_lag_seconds:
      'How late the slowest replica replays. Absent without replicas or pg_monitor.',
    channels_database_replica_lag_bytes:
      'Write-ahead log that the slowest replica has not replayed. Absent without replicas or pg_monitor.',
    channels_database_slot_retained_bytes:
      'Write-ahead log kept for the replication slot that is furthest behind. Absent without slots.',
    channels_database_inactive_slots: 'Replication slots that nothing reads.',
    channels_database_size_bytes: 'Size of the database.',
    channels_database_live_rows: 'Rows of the ledger tables with their partitions, by the statistics.',
    channels_database_dead_rows: 'Rows of the ledger tables that vacuum has to remove, by the statistics.',
    channels_database_vacuum_age_seconds: 'Time since the last vacuum of a ledger table or one of its partitions.',
  });
  showState(exposition, {
    freshForMs: 15_000,
    read,
    gauges,
    show(state) {
      gauges.channels_database_sees_others.set(state.seesOthers ? 1 : 0);
      gauges.channels_database_oldest_transaction_seconds.set(state.oldestTransactionSeconds);
      gauges.channels_database_oldest_xmin_transactions.set(state.oldestXminAge);
      gauges.channels_database_lock_waits.set(state.lockWaitCount);
      gauges.channels_database_oldest_lock_wait_seconds.set(state.oldestLockWaitSeconds);
      gauges.channels_database_connections.set(state.connectionCount);
      gauges.channels_database_connections_limit.set(state.connectionLimit);
      gauges.channels_database_wal_bytes_total.set(state.walBytes);
      gauges.channels_database_replica_lag_seconds.set(state.replicaLagSeconds);
      gauges.channels_database_replica_lag_bytes.set(state.replicaLagBytes);
      gauges.channels_database_slot_retained_bytes.set(state.slotRetainedBytes);
      gauges.channels_database_inactive_slots.set(state.inactiveSlotCount);
      gauges.channels_database_size_bytes.set(state.databaseBytes);
      for (const { table, liveRows, deadRows, vacuumSeconds } of state.tables) {
        gauges.channels_database_live_rows.set(liveRows, { table });
        gauges.channels_database_dead_rows.set(deadRows, { table });
        gauges.channels_database_vacuum_age_seconds.set(vacuumSeconds, { table });
      }
    },
  });
}

/** The check runs once a day. Before the first one, the age counts from the installation. */
function showInvariants(exposition: Exposition, read: StateSources['invariants']): void {
  const gauges = exposition.registry.gauges({
    channels_invariant_violations: 'Rows that violated a rule of the ledger at the last check.',
    channels_invariants_age_seconds:
      'Time since the last check of the ledger, or since the installation before the first check.',
  });
  showState(exposition, {
    freshForMs: 60_000,
    read,
    gauges,
    show({ since, run }) {
      gauges.channels_invariants_age_seconds.set(Math.max(0, (exposition.clock() - since.getTime()) / 1000));
      for (const [rule, { count }] of Object.entries(run?.violations ?? {})) {
        gauges.channels_invariant_violations.set(count, { rule });
      }
    },
  });
}

function showShards(exposition: Exposition, { shards, idleMs }: Pick<StateSources, 'shards' | 'idleMs'>): void {
  const gauges = exposition.registry.gauges({
    channels_shards_unserved: 'Shards that no worker serves.',
    channels_shard_unserved_seconds:
      'Longest time since the last lease of a shard ended; 0 while workers serve all shards.',
  });
  const { channels_worker_idle_seconds: idle } = exposition.registry.gauges({
    channels_worker_idle_seconds:
      'Time that this worker has served no shard although it should, or could not renew its leases.',
  });
  // Apart from the others, which are unknown while the database is away.
  exposition.registry.beforeExposition(() => {
    const ms = idleMs();
    if (ms !== undefined) idle.set(ms / 1_000);
  });
  showState(exposition, {
    freshForMs: 5_000,
    read: shards,
    gauges,
    show({ unservedCount, unservedSeconds }) {
      gauges.channels_shards_unserved.set(unservedCount);
      gauges.channels_shard_unserved_seconds.set(unservedSeconds);
    },
  });
}

function showUpkeep(exposition: Exposition, read: StateSources['upkeep']): void {
  const gauges = exposition.registry.gauges({
    channels_retention_age_seconds:
      'Time since retention last finished a task, or since the installation before the first time.',
    channels_credentials_ending:
      'Credentials of connected accounts that end soon or have ended, and could not be refreshed.',
  });
  showState(exposition, {
    freshForMs: 60_000,
    read,
    gauges,
    show({ retention, endingCredentialCount }) {
      for (const { task, seconds } of retention) gauges.channels_retention_age_seconds.set(seconds, { task });
      gauges.channels_credentials_ending.set(endingCredentialCount);
    },
  });
}
