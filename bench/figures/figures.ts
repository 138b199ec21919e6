import { median } from './statistics.ts';

export type Reach = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly reach: Reach | null;
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

export type Measured = Readonly<Record<string, number>>;

export interface FigureSpec {
  readonly name: string;
  readonly unit: string;
  readonly reach?: Reach;
}

export function toFigures(specs: readonly FigureSpec[], runs: readonly Measured[]): Figure[] {
  return specs.map(({ name, unit, reach = null }) => {
    const values = runs.map((run) => round(run[name] ?? Number.NaN));
    const middle = median(values);
    return { name, unit, reach, runs: values, median: middle, isReached: reach && isReached(middle, reach) };
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
