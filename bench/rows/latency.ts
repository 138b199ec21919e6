import { toFigures, type FigureSpec, type Measured, type Reach } from '../figures/figures.ts';
import { repeat, type Row } from '../figures/row.ts';
import { durationsMs, percentile } from '../figures/statistics.ts';
import type { System } from '../system/system.ts';
import { sendBurst } from '../system/traffic.ts';
import { CONNECTIONS, startBusyDestination } from './ingest.ts';

interface Pace {
  readonly ratePerSecond: number;
  readonly count: number;
  readonly p50: Reach;
  readonly p95: Reach;
}

const paces: readonly Pace[] = [
  { ratePerSecond: 200, count: 4_000, p50: { atMost: 2.5 }, p95: { atMost: 6 } },
  { ratePerSecond: 1_000, count: 15_000, p50: { atMost: 4 }, p95: { atMost: 15 } },
];

function arrivalSpecs(label: string, { p50, p95 }: Pace): FigureSpec[] {
  return [
    { name: `accepted to arrived ${label}, p50`, unit: 'ms', reach: p50 },
    { name: `accepted to arrived ${label}, p95`, unit: 'ms', reach: p95 },
    { name: `sent to arrived ${label}, p50`, unit: 'ms' },
    { name: `sent to arrived ${label}, p95`, unit: 'ms' },
    { name: `sent to arrived ${label}, p99`, unit: 'ms' },
    { name: `sent to accepted ${label}, p50`, unit: 'ms' },
  ];
}

interface ArrivalRun {
  readonly label: string;
  readonly resourceIds: readonly string[];
  readonly ratePerSecond: number;
  readonly count: number;
}

/** An event may arrive before its 200, because the commit wakes the worker. */
async function measureArrivals(system: System, { label, ...burst }: ArrivalRun): Promise<Measured> {
  const times = await sendBurst(system, { ...burst, connections: CONNECTIONS });
  const accepted = durationsMs(times.answeredAtMs, times.arrivedAtMs);
  const sent = durationsMs(times.sentAtMs, times.arrivedAtMs);
  return {
    [`accepted to arrived ${label}, p50`]: percentile(accepted, 50),
    [`accepted to arrived ${label}, p95`]: percentile(accepted, 95),
    [`sent to arrived ${label}, p50`]: percentile(sent, 50),
    [`sent to arrived ${label}, p95`]: percentile(sent, 95),
    [`sent to arrived ${label}, p99`]: percentile(sent, 99),
    [`sent to accepted ${label}, p50`]: percentile(durationsMs(times.sentAtMs, times.answeredAtMs), 50),
  };
}

const labelOf = ({ ratePerSecond }: Pace): string => `at ${ratePerSecond.toLocaleString('en')}/s`;

export const latency: Row = {
  title: 'how soon an event arrives at one busy destination, at 200/s and 1,000/s',
  async measure({ system, say }) {
    const resourceIds = await startBusyDestination(system);
    const runs = await repeat(async () => {
      const measured: Measured[] = [];
      for (const pace of paces) {
        const run = { label: labelOf(pace), resourceIds, ratePerSecond: pace.ratePerSecond, count: pace.count };
        measured.push(await measureArrivals(system, run));
      }
      const all: Measured = Object.assign({}, ...measured);
      say(paces.map((pace) => `${all[`sent to arrived ${labelOf(pace)}, p95`]!.toFixed(1)} ms p95`).join(', '));
      return all;
    });
    const specs = paces.flatMap((pace) => arrivalSpecs(labelOf(pace), pace));
    return {
      figures: toFigures(specs, runs),
      notes: ['Open loop: requests leave when they are due, answered or not.'],
    };
  },
};
