import { toFigures, type FigureSpec } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import { clearBacklog, writeBacklog } from '../system/backlog.ts';
import { runPhase } from '../system/phase.ts';
import { seedChannels, type SeededChannel } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { sendBurst } from '../system/traffic.ts';
import { CONNECTIONS } from './ingest.ts';

const SLOW = 40;
const SLOW_BACKLOG = 1_000;
const HEALTHY = 10;
const RATE_PER_SECOND = 200;
const EVENTS = 4_000;
const WARM_UP_EVENTS = 2_000;
const SHARD = 0;
const P50 = 'healthy p50, beside';
const P99 = 'healthy p99, beside';
const ALONE_P50 = 'healthy p50, alone';
const ALONE_P99 = 'healthy p99, alone';
const specs: FigureSpec[] = [
  { name: ALONE_P50, unit: 'ms' },
  { name: P50, unit: 'ms' },
  { name: 'p50, beside against alone', unit: '', reach: { atMost: 1.5 } },
  { name: ALONE_P99, unit: 'ms' },
  { name: P99, unit: 'ms' },
  { name: 'p99, beside against alone', unit: '', reach: { atMost: 1.5 } },
];

export const manySlow: Row = {
  title: '40 slow destinations with a backlog beside healthy ones of their shard',
  async measure({ system, say }) {
    const healthy = await seedChannels({
      ...system,
      count: HEALTHY,
      destinationUrl: (n) => `${system.sinkUrl}/webhook/${n}`,
    });
    const hosts = await system.sink.call('openHosts', { count: SLOW });
    const slow = await seedChannels({ ...system, count: SLOW, destinationUrl: (n) => `${hosts[n]}/slow/${n}` });
    await moveToOneShard(system, [...healthy, ...slow]);
    await system.startWorker();
    await system.startApi();
    const resourceIds = healthy.map(({ resourceId }) => resourceId);
    await sendBurst(system, { resourceIds, count: WARM_UP_EVENTS, connections: CONNECTIONS });
    const runs = await repeat(async () => {
      const alone = await latencies(system, resourceIds);
      for (const { destinationId } of slow) await writeBacklog(system.pool, { destinationId, rows: SLOW_BACKLOG });
      const beside = await latencies(system, resourceIds);
      await clearBacklog(system.pool, slow);
      const at = (percent: number) => [percentile(alone, percent), percentile(beside, percent)] as const;
      const [[aloneP50, p50], [aloneP99, p99]] = [at(50), at(99)];
      say(`p50 ${aloneP50.toFixed(1)} → ${p50.toFixed(1)} ms, p99 ${aloneP99.toFixed(1)} → ${p99.toFixed(1)} ms`);
      return {
        [ALONE_P50]: aloneP50,
        [P50]: p50,
        'p50, beside against alone': p50 / aloneP50,
        [ALONE_P99]: aloneP99,
        [P99]: p99,
        'p99, beside against alone': p99 / aloneP99,
      };
    });
    const notes = [
      `${SLOW} destinations that answer after 5 s, each with ${SLOW_BACKLOG} waiting; all in one shard, each at a host of its own.`,
    ];
    return { figures: toFigures(specs, runs), notes };
  },
};

async function latencies(system: System, resourceIds: readonly string[]): Promise<Float64Array> {
  const burst = { resourceIds, count: EVENTS, connections: CONNECTIONS, ratePerSecond: RATE_PER_SECOND };
  const { sentAtMs, arrivedAtMs } = await runPhase(system, burst);
  return durationsMs(sentAtMs, arrivedAtMs);
}

/** The worst place, because a shard's window is shared. Before the first worker, so no lease is held. */
async function moveToOneShard({ pool }: System, channels: readonly SeededChannel[]): Promise<void> {
  const ids = channels.map(({ destinationId }) => destinationId);
  await pool.query('update destinations set shard = $2 where id = any ($1::bigint[])', [ids, SHARD]);
}
