import { setTimeout as sleep } from 'node:timers/promises';
import { END_TO_END, measureBurst } from '../figures/burst.ts';
import { costFigures, IDLE, serviceSeconds } from '../figures/cost.ts';
import { measure, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { describeStatements } from '../figures/split.ts';
import { readFleet } from '../../db/ledger/shards/fleet.ts';
import { webhookUrls } from '../system/busy.ts';
import type { Child } from '../system/processes.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { CONNECTIONS, sendBurst } from '../system/traffic.ts';
import { EVENTS } from './ingest.ts';

const counts = [1, 2, 4];
/** Enough that each worker serves some. */
const DESTINATIONS = 64;
const WARM_UP_EVENTS = 5_000;
const SAMPLES = 50;
const SAMPLE_MS = 200;
const SETTLE_MS = 10_000;
const MS_PER_MINUTE = 60_000;
const MOST_COST_RATIO = 1.1;

export const workers: Row = {
  title: '1, 2 and 4 workers that join one by one: rate, cost for an event, spread of the shards',
  async measure({ system, say }) {
    const channels = await seedChannels({ ...system, count: DESTINATIONS, destinationUrl: webhookUrls(system) });
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    await system.startApi();
    const splits: string[] = [];
    const runs = await repeat(async () => {
      const run: Measured[] = [];
      const totals: number[] = [];
      const running: Child[] = [];
      for (const count of counts) {
        while (running.length < count) running.push(await system.startWorker({ name: `worker-${running.length + 1}` }));
        const { measured, total } = await measureWith(system, { running, resourceIds, splits });
        run.push(...measured);
        totals.push(total);
        say(measured.map(({ name, value, unit }) => `${name} ${value.toFixed(2)} ${unit}`).join('; '));
      }
      await Promise.all(running.map((worker) => worker.stop()));
      const growth = totals.at(-1)! / totals[0]!;
      return [
        ...run,
        measure('processor seconds, four workers against one', [growth, ''], { atMost: MOST_COST_RATIO }),
      ];
    });
    const notes = [
      `${EVENTS} events over ${DESTINATIONS} destinations at ${CONNECTIONS} connections. Sampled every ${SAMPLE_MS} ms for ${(SAMPLES * SAMPLE_MS) / 1000} s, ${SETTLE_MS / 1000} s after the last worker joined.`,
    ];
    return { runs, notes: [...notes, ...splits] };
  },
};

interface Fleet {
  readonly running: readonly Child[];
  readonly resourceIds: readonly string[];
  /** Grows with each burst, if statements are counted. */
  readonly splits: string[];
}

async function measureWith(system: System, { running, resourceIds, splits }: Fleet) {
  const count = running.length;
  const at = (name: string): string => `${count} ${count === 1 ? 'worker' : 'workers'}: ${name}`;
  await sleep(SETTLE_MS);
  const before = { seconds: serviceSeconds(system.cpuSeconds()), atMs: performance.now() };
  const spread = await sampleSpread(system, running);
  const minutes = (performance.now() - before.atMs) / MS_PER_MINUTE;
  const idle = (serviceSeconds(system.cpuSeconds()) - before.seconds) / minutes;
  await sendBurst(system, { resourceIds, count: WARM_UP_EVENTS });
  await system.takeStatements();
  const { eventsPerSecond, cost } = await measureBurst(system, { resourceIds, count: EVENTS });
  const statements = await system.takeStatements();
  splits.push(...describeStatements(statements, { eventCount: EVENTS, at: `workers: ${count}` }));
  const uneven = spread.filter((difference) => difference > 1).length / spread.length;
  const measured = [
    measure(at(END_TO_END), [eventsPerSecond, '/s']),
    measure(at(IDLE), [idle, 's']),
    ...costFigures(cost, at),
    measure(at('most shards of a worker minus fewest, at most'), [Math.max(...spread), ''], { atMost: 1 }),
    measure(at('share of samples with a difference above 1'), [uneven, ''], { atMost: 0 }),
  ];
  return { measured, total: cost.total };
}

/** A shard between two holders counts for none, as an installation sees it. */
async function sampleSpread({ pool }: System, running: readonly Child[]): Promise<number[]> {
  const spread: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const { leases } = await readFleet(pool, '');
    // A holder is `<host>/<process id>/<pump>`.
    const holders = leases.map(({ holder }) => Number(holder.split('/')[1]));
    const held = running.map(({ pid }) => holders.filter((holder) => holder === pid).length);
    spread.push(Math.max(...held) - Math.min(...held));
    await sleep(SAMPLE_MS);
  }
  return spread;
}
