import { setTimeout as sleep } from 'node:timers/promises';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import { clearBacklog, writeBacklog } from '../system/backlog.ts';
import { runPhase } from '../system/phase.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { sendBurst } from '../system/traffic.ts';
import { CONNECTIONS } from './ingest.ts';

/** At their first allowance of 8, they ask for more than the 64 connections of a host. */
const SLOW_DESTINATIONS = 20;
/** Below the deadline of an attempt, so that a slow receiver is not a failing one. */
const SLOW_MS = 9_500;
const FAST_RATE_PER_SECOND = 50;
const FAST_EVENTS = 1_000;
/** Enough to keep the slow destinations at their limits. */
const SLOW_BACKLOG = 200;
/** The slow requests are under way before the first event of the instant path. */
const CLAIMED_MS = 2_000;
const WARM_UP_EVENTS = 2_000;

const ALONE = 'instant path alone, p99';
const P50 = 'instant path beside slow paths of its host, p50';
const P99 = 'instant path beside slow paths of its host, p99';
const RATIO = 'p99, beside against alone';
const CHARGED = 'attempts charged to the instant path as failures';
const specs: FigureSpec[] = [
  { name: ALONE, unit: 'ms' },
  { name: P50, unit: 'ms' },
  { name: P99, unit: 'ms' },
  { name: RATIO, unit: '', reach: { atMost: 1.5 } },
  { name: CHARGED, unit: '', reach: { atMost: 0 } },
];

export const sharedHost: Row = {
  title: 'an instant path beside slow paths of other tenants at the same host',
  async measure({ system, say }) {
    const fast = await seedChannels({ ...system, count: 1, destinationUrl: () => `${system.sinkUrl}/webhook` });
    const slow = await seedChannels({
      ...{ ...system, count: SLOW_DESTINATIONS },
      destinationUrl: (number) => `${system.sinkUrl}/wait/${SLOW_MS}/${number}`,
    });
    await system.startWorker();
    await system.startApi();
    const fastIds = fast.map(({ resourceId }) => resourceId);
    await sendBurst(system, { resourceIds: fastIds, count: WARM_UP_EVENTS, connections: CONNECTIONS });
    const runs = await repeat(async () => {
      const alone = await latencies(system, fastIds);
      for (const { destinationId } of slow) await writeBacklog(system.pool, { destinationId, rows: SLOW_BACKLOG });
      await sleep(CLAIMED_MS);
      const beside = await latencies(system, fastIds);
      await clearBacklog(system.pool, slow);
      const p99 = percentile(beside, 99);
      const measured: Measured = {
        [ALONE]: percentile(alone, 99),
        [P50]: percentile(beside, 50),
        [P99]: p99,
        [RATIO]: p99 / percentile(alone, 99),
        [CHARGED]: await countFailures(system, fast[0]!.destinationId),
      };
      say(specs.map(({ name }) => `${name}: ${measured[name]?.toFixed(1)}`).join('; '));
      return measured;
    });
    const notes = [
      `${SLOW_DESTINATIONS} destinations that answer after ${SLOW_MS / 1000} s, each with ${SLOW_BACKLOG} waiting.`,
    ];
    return { figures: toFigures(specs, runs), notes };
  },
};

async function latencies(system: System, resourceIds: readonly string[]): Promise<Float64Array> {
  const events = { resourceIds, count: FAST_EVENTS, conversations: FAST_EVENTS };
  const burst = { ...events, connections: CONNECTIONS, ratePerSecond: FAST_RATE_PER_SECOND };
  const { sentAtMs, arrivedAtMs } = await runPhase(system, burst);
  return durationsMs(sentAtMs, arrivedAtMs);
}

async function countFailures({ pool }: System, destinationId: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) from attempts a join deliveries d on d.id = a.delivery_id
     where d.destination_id = $1 and a.outcome <> 'accepted'`,
    [destinationId],
  );
  return rows[0]!.count;
}
