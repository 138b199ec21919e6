import { setTimeout as sleep } from 'node:timers/promises';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { measureBurst } from '../figures/burst.ts';
import { costFigures, serviceSeconds } from '../figures/cost.ts';
import { describeStatements } from '../figures/split.ts';
import { toFigures, type FigureSpec, type Measured } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import type { Child } from '../system/processes.ts';
import { seedChannels } from '../system/seed.ts';
import type { System } from '../system/system.ts';
import { sendBurst } from '../system/traffic.ts';
import { CONNECTIONS, CPU, END_TO_END, EVENTS } from './ingest.ts';

const counts = [1, 2, 4];
/** Enough to use every shard. */
const DESTINATIONS = 64;
const WARM_UP_EVENTS = 5_000;
const SAMPLES = 50;
const SAMPLE_MS = 200;
const SETTLE_MS = 10_000;
const MS_PER_MINUTE = 60_000;
const MOST_COST_RATIO = 1.1;

const SPREAD = 'most shards of a worker minus fewest, at most';
const IDLE = 'processor seconds a minute without any event';
const UNEVEN = 'share of samples with a difference above 1';
const GROWTH = 'processor seconds, four workers against one';
const over = (count: number, name: string): string => `${count} ${count === 1 ? 'worker' : 'workers'}: ${name}`;
const specs: FigureSpec[] = [
  ...counts.flatMap((count): FigureSpec[] => [
    { name: over(count, END_TO_END), unit: '/s' },
    { name: over(count, IDLE), unit: 's' },
    { name: over(count, CPU), unit: 's' },
    { name: over(count, '  of these api'), unit: 's' },
    { name: over(count, '  of these worker'), unit: 's' },
    { name: over(count, '  of these postgres'), unit: 's' },
    { name: over(count, '  of these temporal'), unit: 's' },
    { name: over(count, SPREAD), unit: '', reach: { atMost: 1 } },
    { name: over(count, UNEVEN), unit: '', reach: { atMost: 0 } },
  ]),
  { name: GROWTH, unit: '', reach: { atMost: MOST_COST_RATIO } },
];

export const workers: Row = {
  title: '1, 2 and 4 workers that join one by one: rate, cost for an event, spread of the shards',
  async measure({ system, say }) {
    const destinationUrl = (number: number): string => `${system.sinkUrl}/webhook/${number}`;
    const channels = await seedChannels({ ...system, count: DESTINATIONS, destinationUrl });
    const resourceIds = channels.map(({ resourceId }) => resourceId);
    await system.startApi();
    const splits: string[] = [];
    const runs = await repeat(async () => {
      const measured: Record<string, number> = {};
      const running: Child[] = [];
      for (const count of counts) {
        while (running.length < count) running.push(await system.startWorker({}, `worker-${running.length + 1}`));
        Object.assign(measured, await measureWith(system, { running, resourceIds, splits }));
        say(
          `${count}: ${Math.round(measured[over(count, END_TO_END)]!)}/s, ${measured[over(count, CPU)]!.toFixed(3)} s, spread ${measured[over(count, SPREAD)]}`,
        );
      }
      await Promise.all(running.map((worker) => worker.stop()));
      return { ...measured, [GROWTH]: measured[over(4, CPU)]! / measured[over(1, CPU)]! };
    });
    const notes = [
      `${EVENTS} events over ${DESTINATIONS} destinations at ${CONNECTIONS} connections. Sampled every ${SAMPLE_MS} ms for ${(SAMPLES * SAMPLE_MS) / 1000} s, ${SETTLE_MS / 1000} s after the last worker joined.`,
    ];
    return { figures: toFigures(specs, runs), notes: [...notes, ...splits] };
  },
};

interface Fleet {
  readonly running: readonly Child[];
  readonly resourceIds: readonly string[];
  /** Grows with each burst, if statements are counted. */
  readonly splits: string[];
}

async function measureWith(system: System, { running, resourceIds, splits }: Fleet): Promise<Measured> {
  const at = (name: string): string => over(running.length, name);
  await sleep(SETTLE_MS);
  const before = { seconds: serviceSeconds(system.cpuSeconds()), atMs: performance.now() };
  const spread = await sampleSpread(system, running);
  const idle =
    (serviceSeconds(system.cpuSeconds()) - before.seconds) / ((performance.now() - before.atMs) / MS_PER_MINUTE);
  await sendBurst(system, { resourceIds, count: WARM_UP_EVENTS, connections: CONNECTIONS });
  await system.takeStatements();
  const { eventsPerSecond, cost } = await measureBurst(system, {
    resourceIds,
    count: EVENTS,
    connections: CONNECTIONS,
  });
  const statements = await system.takeStatements();
  splits.push(...describeStatements(statements, { eventCount: EVENTS, at: `workers: ${running.length}` }));
  return {
    [at(END_TO_END)]: eventsPerSecond,
    [at(IDLE)]: idle,
    ...costFigures(cost, { name: at(CPU), ofPart: (part) => at(`  of these ${part}`) }),
    [at(SPREAD)]: Math.max(...spread),
    [at(UNEVEN)]: spread.filter((difference) => difference > 1).length / spread.length,
  };
}

/** A shard between two holders counts for none, as an installation sees it. */
async function sampleSpread({ pool }: System, running: readonly Child[]): Promise<number[]> {
  const spread: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const holders = await shardHolders(pool);
    const held = running.map(({ pid }) => holders.filter((holder) => holder === pid).length);
    spread.push(Math.max(...held) - Math.min(...held));
    await sleep(SAMPLE_MS);
  }
  return spread;
}

async function shardHolders(pool: HotPool): Promise<number[]> {
  const { rows } = await pool.query<{ holder: string }>(
    'select holder from shard_leases where expires_at > clock_timestamp() order by shard',
  );
  // A holder is `<host>/<process id>/<pump>`.
  return rows.map(({ holder }) => Number(holder.split('/')[1]));
}
