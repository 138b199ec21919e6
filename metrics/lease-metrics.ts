import type { ShardLeaseAge } from '../db/ledger/shards/fleet.ts';
import type { MetricRegistry } from './registry.ts';

export interface LeaseSource {
  readonly read: () => Promise<readonly ShardLeaseAge[]>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** How long this worker has served no shard although it should. Undefined if it runs no pumps. */
  readonly idleMs: () => number | undefined;
}

/** Limits queries, however often the metrics are scraped. */
const FRESH_FOR_MS = 5_000;

/** All workers report the same values, except their own time without a shard. */
export function addLeaseMetrics(registry: MetricRegistry, { read, now, idleMs }: LeaseSource): void {
  const held = registry.gauge({
    name: 'channels_shard_lease_seconds',
    help: 'Time since a worker acquired the shard; 0 if no worker serves it.',
  });
  const unserved = registry.gauge({
    name: 'channels_shard_unserved_seconds',
    help: 'Time since the last lease of the shard ended; 0 while a worker serves it.',
  });
  const idle = registry.gauge({
    name: 'channels_worker_idle_seconds',
    help: 'Time that this worker has served no shard although it should, or could not renew its leases.',
  });
  // Apart from the others, which are unknown while the database is away.
  registry.beforeExposition(() => {
    const ms = idleMs();
    if (ms !== undefined) idle.set(ms / 1_000);
  });
  let readAtMs = Number.NEGATIVE_INFINITY;

  registry.beforeExposition(async () => {
    if (now() - readAtMs < FRESH_FOR_MS) return;
    const ages = await read().catch((error: unknown) => {
      [held, unserved].forEach((gauge) => gauge.clear());
      throw error;
    });
    readAtMs = now();
    for (const { shard, heldSeconds, unservedSeconds } of ages) {
      held.set(heldSeconds, { shard });
      unserved.set(unservedSeconds, { shard });
    }
  });
}
