import { floorOf } from './floor-target.ts';
import { measureBurst } from '../figures/burst.ts';
import { type Figure, percentile, round, type RowResult } from '../figures/figures.ts';
import type { System } from '../system/system.ts';

/** The floor's figures just before a row. On a shared machine, only figures of the same sitting are comparable. */
export interface Sitting {
  readonly eventsPerSecond: number;
  readonly cpuSeconds: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

const WARM_UP_EVENTS = 5_000;
const BURST_EVENTS = 10_000;
const RATE_PER_SECOND = 200;
const PACED_EVENTS = 1_000;

export async function measureSitting(system: System): Promise<Sitting> {
  const floor = await floorOf(system);
  const events = { resourceIds: ['0'] };
  await measureBurst(floor, { ...events, count: WARM_UP_EVENTS });
  const burst = await measureBurst(floor, { ...events, count: BURST_EVENTS });
  const { arrivedMs } = await measureBurst(floor, { ...events, count: PACED_EVENTS, ratePerSecond: RATE_PER_SECOND });
  const at = (percent: number): number => round(percentile(arrivedMs, percent));
  return {
    eventsPerSecond: round(burst.eventsPerSecond),
    cpuSeconds: round(burst.cost.total),
    p50Ms: at(50),
    p95Ms: at(95),
    p99Ms: at(99),
  };
}

export function withRatios({ figures, ...result }: RowResult, sitting: Sitting): RowResult {
  return { ...result, figures: figures.map((figure) => withRatio(figure, sitting)), floor: { ...sitting } };
}

function withRatio(figure: Figure, sitting: Sitting): Figure {
  const least = sameFigure(figure, sitting);
  return least === undefined ? figure : { ...figure, ratioToFloor: round(figure.median / least) };
}

function sameFigure({ name, unit }: Figure, sitting: Sitting): number | undefined {
  if (unit === '/s') return sitting.eventsPerSecond;
  if (unit === 's' && name.startsWith('processor seconds for 1,000')) return sitting.cpuSeconds;
  if (unit !== 'ms') return undefined;
  if (name.includes('p50')) return sitting.p50Ms;
  return name.includes('p99') ? sitting.p99Ms : sitting.p95Ms;
}
