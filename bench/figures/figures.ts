import { median } from './statistics.ts';

export type Reach = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly reach: Reach | null;
  readonly runs: readonly number[];
  readonly median: number;
  readonly isReached: boolean | null;
}

export interface RowResult {
  readonly figures: readonly Figure[];
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

function round(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
