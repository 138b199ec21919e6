import type { ShardLeaseAge } from '../db/ledger/shards/fleet.ts';
import type { MetricRegistry } from './registry.ts';

export interface LeaseSource {
  readonly read: () => Promise<readonly ShardLeaseAge[]>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** Limits queries, however often the metrics are scraped. */
const FRESH_FOR_MS = 5_000;

/** All workers report the same values. */
export function addLeaseMetrics(registry: MetricRegistry, { read, now }: LeaseSource): void {
  const held = registry.gauge({
    name: 'channels_shard_lease_seconds',
    help: 'Time since a worker acquired the shard; 0 if no worker serves it.',
  });
  const unserved = registry.gauge({
    name: 'channels_shard_unserved_seconds',
    help: 'Time since the last lease of the shard ended; 0 while a worker serves it.',
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
