import type { Backlog } from '../db/upkeep/backlog.ts';
import type { MetricRegistry } from './registry.ts';

export interface BacklogSource {
  readonly read: () => Promise<Backlog>;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** Limits queries, however often the metrics are scraped. */
const FRESH_FOR_MS = 10_000;

/** All workers report the same values. If the ledger cannot be read, the values disappear, so that alerts notice. */
export function addBacklogMetrics(registry: MetricRegistry, { read, now }: BacklogSource): void {
  const waiting = registry.gauge({
    name: 'channels_backlog_deliveries',
    help: 'Waiting deliveries by status and shard; 100000 means that number or more.',
  });
  const oldest = registry.gauge({
    name: 'channels_oldest_waiting_seconds',
    help: 'Age of the oldest waiting delivery, including open circuits and throttled destinations.',
  });
  const overdue = registry.gauge({
    name: 'channels_oldest_overdue_seconds',
    help: 'Delay of the most overdue retry, without open circuits. A high value means that its workflow is missing.',
  });
  const circuits = registry.gauge({ name: 'channels_circuits_open', help: 'Destinations whose circuit is open.' });
  const notSettling = registry.gauge({
    name: 'channels_destinations_not_settling',
    help: 'Destinations whose attempts the database refused to record in the last two minutes.',
  });
  const horizon = registry.gauge({
    name: 'channels_stream_horizon_seconds',
    help: 'Age of the oldest writing transaction of the database. Streams and listeners show nothing newer.',
  });
  let readAtMs = Number.NEGATIVE_INFINITY;

  registry.beforeExposition(async () => {
    if (now() - readAtMs < FRESH_FOR_MS) return;
    const gauges = [waiting, oldest, overdue, circuits, notSettling, horizon];
    const backlog = await read().catch((error: unknown) => {
      gauges.forEach((gauge) => gauge.clear());
      throw error;
    });
    readAtMs = now();
    for (const { count, ...labels } of backlog.waiting) waiting.set(count, labels);
    for (const { seconds, ...labels } of backlog.oldest) oldest.set(seconds, labels);
    for (const { shard, seconds } of backlog.overdue) overdue.set(seconds, { shard });
    for (const { reason, count } of backlog.circuits) circuits.set(count, { reason });
    notSettling.set(backlog.notSettlingCount, {});
    horizon.set(backlog.horizonSeconds, {});
  });
}
