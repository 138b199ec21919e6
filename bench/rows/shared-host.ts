import { setTimeout as sleep } from 'node:timers/promises';
import { durationsMs, measure, percentile } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { besideSlow, startBusy } from '../system/busy.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { runPhase } from '../system/traffic.ts';

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

export const sharedHost: Row = {
  title: 'an instant path beside slow paths of other tenants at the same host',
  async measure({ system, say }) {
    const slowUrl = (number: number): string => `${system.sinkUrl}/wait/${SLOW_MS}/${number}`;
    const fast = await startBusy(system, {
      warmUpEvents: WARM_UP_EVENTS,
      beside: () => seedChannels({ ...system, count: SLOW_DESTINATIONS, destinationUrl: slowUrl }),
    });
    const { resourceIds, others: slow } = fast;
    const latencies = async (): Promise<Float64Array> => {
      const events = { resourceIds, count: FAST_EVENTS, conversations: FAST_EVENTS };
      const { sentAtMs, arrivedAtMs } = await runPhase(system, { ...events, ratePerSecond: FAST_RATE_PER_SECOND });
      return durationsMs(sentAtMs, arrivedAtMs);
    };
    const runs = await repeat(async () => {
      const untilBusy = (): Promise<void> => sleep(CLAIMED_MS);
      const { alone, beside } = await besideSlow(system, { slow, backlog: SLOW_BACKLOG, latencies, untilBusy });
      const p99 = percentile(beside, 99);
      const run = [
        measure('instant path alone, p99', [percentile(alone, 99), 'ms']),
        measure('instant path beside slow paths of its host, p50', [percentile(beside, 50), 'ms']),
        measure('instant path beside slow paths of its host, p99', [p99, 'ms']),
        measure('p99, beside against alone', [p99 / percentile(alone, 99), ''], { atMost: 1.5 }),
        measure(
          'attempts charged to the instant path as failures',
          [await countFailures(system, fast.channels[0]!.destinationId), ''],
          { atMost: 0 },
        ),
      ];
      say(run.map(({ name, value }) => `${name}: ${value.toFixed(1)}`).join('; '));
      return run;
    });
    const notes = [
      `${SLOW_DESTINATIONS} destinations that answer after ${SLOW_MS / 1000} s, each with ${SLOW_BACKLOG} waiting.`,
    ];
    return { runs, notes };
  },
};

async function countFailures({ pool }: System, destinationId: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) from attempts a join deliveries d on d.id = a.delivery_id
     where d.destination_id = $1 and a.outcome <> 'accepted'`,
    [destinationId],
  );
  return rows[0]!.count;
}
