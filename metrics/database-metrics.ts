import type { DatabaseState } from '../db/upkeep/database-state.ts';
import type { MetricRegistry } from './registry.ts';

export interface DatabaseSource {
  readonly read: () => Promise<DatabaseState>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** Limits queries, however often the metrics are scraped. */
const FRESH_FOR_MS = 15_000;

/** All workers report the same values. If the database cannot be read, the values disappear, so that alerts notice. */
export function addDatabaseMetrics(registry: MetricRegistry, { read, now }: DatabaseSource): void {
  const parts = [activity(registry), replication(registry), tables(registry)];
  let readAtMs = Number.NEGATIVE_INFINITY;
  registry.beforeExposition(async () => {
    if (now() - readAtMs < FRESH_FOR_MS) return;
    for (const { clear } of parts) clear();
    // Also before a read that fails, because a database in trouble must not be asked more often.
    readAtMs = now();
    const state = await read();
    for (const { set } of parts) set(state);
  });
}

interface Part {
  clear(): void;
  set(state: DatabaseState): void;
}

function activity(registry: MetricRegistry): Part {
  const sees = registry.gauge({
    name: 'channels_database_sees_others',
    help: '1 if the role may see the sessions of others (pg_monitor), otherwise 0.',
  });
  const transaction = registry.gauge({
    name: 'channels_database_oldest_transaction_seconds',
    help: 'Age of the oldest transaction, including those that only read.',
  });
  const xmin = registry.gauge({
    name: 'channels_database_oldest_xmin_transactions',
    help: 'Transactions since the oldest snapshot, whose dead rows vacuum keeps.',
  });
  const waits = registry.gauge({ name: 'channels_database_lock_waits', help: 'Sessions that wait for a lock.' });
  const wait = registry.gauge({
    name: 'channels_database_oldest_lock_wait_seconds',
    help: 'How long the oldest of them has waited.',
  });
  const connections = registry.gauge({ name: 'channels_database_connections', help: 'Connections to the cluster.' });
  const limit = registry.gauge({
    name: 'channels_database_connections_limit',
    help: 'Connections that roles without privileges may open.',
  });
  return {
    clear: () => [sees, transaction, xmin, waits, wait, connections, limit].forEach((gauge) => gauge.clear()),
    set(state) {
      sees.set(state.seesOthers ? 1 : 0);
      transaction.set(state.oldestTransactionSeconds);
      xmin.set(state.oldestXminAge);
      waits.set(state.lockWaitCount);
      wait.set(state.oldestLockWaitSeconds);
      connections.set(state.connectionCount);
      limit.set(state.connectionLimit);
    },
  };
}

function replication(registry: MetricRegistry): Part {
  const wal = registry.gauge({ name: 'channels_database_wal_bytes_total', help: 'Bytes of write-ahead log written.' });
  const lag = registry.gauge({
    name: 'channels_database_replica_lag_seconds',
    help: 'How late the slowest replica replays. Absent without replicas or pg_monitor.',
  });
  const lagBytes = registry.gauge({
    name: 'channels_database_replica_lag_bytes',
    help: 'Write-ahead log that the slowest replica has not replayed. Absent without replicas or pg_monitor.',
  });
  const retained = registry.gauge({
    name: 'channels_database_slot_retained_bytes',
    help: 'Write-ahead log kept for the replication slot that is furthest behind. Absent without slots.',
  });
  const inactive = registry.gauge({
    name: 'channels_database_inactive_slots',
    help: 'Replication slots that nothing reads.',
  });
  const size = registry.gauge({ name: 'channels_database_size_bytes', help: 'Size of the database.' });
  return {
    clear: () => [wal, lag, lagBytes, retained, inactive, size].forEach((gauge) => gauge.clear()),
    set(state) {
      wal.set(state.walBytes);
      if (state.replicaLagSeconds !== null) lag.set(state.replicaLagSeconds);
      if (state.replicaLagBytes !== null) lagBytes.set(state.replicaLagBytes);
      if (state.slotRetainedBytes !== null) retained.set(state.slotRetainedBytes);
      inactive.set(state.inactiveSlotCount);
      size.set(state.databaseBytes);
    },
  };
}

function tables(registry: MetricRegistry): Part {
  const live = registry.gauge({
    name: 'channels_database_live_rows',
    help: 'Rows of the ledger tables with their partitions, by the statistics.',
  });
  const dead = registry.gauge({
    name: 'channels_database_dead_rows',
    help: 'Rows of the ledger tables that vacuum has to remove, by the statistics.',
  });
  const vacuum = registry.gauge({
    name: 'channels_database_vacuum_age_seconds',
    help: 'Time since the last vacuum of a ledger table or one of its partitions.',
  });
  return {
    clear: () => [live, dead, vacuum].forEach((gauge) => gauge.clear()),
    set(state) {
      for (const { table, liveRows, deadRows, vacuumSeconds } of state.tables) {
        live.set(liveRows, { table });
        dead.set(deadRows, { table });
        if (vacuumSeconds !== null) vacuum.set(vacuumSeconds, { table });
      }
    },
  };
}
