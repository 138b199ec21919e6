export type Reach = { readonly atLeast: number } | { readonly atMost: number };

export type Quantity = readonly [value: number, unit: string];

/** A figure of one run. */
export interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly reach: Reach | null;
}

export interface Figure extends Omit<Measured, 'value'> {
  readonly runs: readonly number[];
  readonly median: number;
  readonly isReached: boolean | null;
  /** Of the median, to the floor's figure of the same sitting. Absent if the floor has no such figure. */
  readonly ratioToFloor?: number;
}

export interface RowResult {
  readonly figures: readonly Figure[];
  /** The floor's figures of the same sitting. Absent if the row has its own. */
  readonly floor?: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
}

export function measure(name: string, [value, unit]: Quantity, reach: Reach | null = null): Measured {
  return { name, unit, value, reach };
}

/** The keys of `reaches` are percents. */
export function percentiles(
  name: string,
  tookMs: ArrayLike<number>,
  reaches: Readonly<Record<number, Reach | null>>,
): Measured[] {
  return Object.entries(reaches).map(([percent, reach]) =>
    measure(`${name}, p${percent}`, [percentile(tookMs, Number(percent)), 'ms'], reach),
  );
}

/** All runs have the figures of the first. */
export function toFigures(runs: readonly (readonly Measured[])[]): Figure[] {
  return runs[0]!.map(({ name, unit, reach }) => {
    const values = runs.map((run) => round(run.find((one) => one.name === name)?.value ?? Number.NaN));
    const median = percentile(values, 50);
    return { name, unit, reach, runs: values, median, isReached: reach && isReached(median, reach) };
  });
}

export function reachText(reach: Reach): string {
  return 'atLeast' in reach ? `≥ ${reach.atLeast}` : `≤ ${reach.atMost}`;
}

function isReached(value: number, reach: Reach): boolean {
  return 'atLeast' in reach ? value >= reach.atLeast : value <= reach.atMost;
}

const SIGNIFICANT_DIGITS = 4;

export function round(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

/** Uses the nearest rank; values need no order. */
export function percentile(values: ArrayLike<number>, percent: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(rank - 1, 0)] ?? Number.NaN;
}

export function durationsMs(fromMs: Float64Array, toMs: Float64Array): Float64Array {
  return fromMs
    .map((from, index) => toMs[index]! - from)
    .filter((_, index) => toMs[index] !== 0 && fromMs[index] !== 0);
}
