import type { Measured } from './figures.ts';
import type { System } from '../system/system.ts';

export interface Bench {
  readonly system: System;
  readonly say: (text: string) => void;
}

export interface Row {
  readonly title: string;
  readonly asNpmStart?: boolean;
  /** Optional. True if the row measures the floor itself, in turn with the service. */
  readonly hasOwnFloor?: boolean;
  measure(
    bench: Bench,
  ): Promise<{ readonly runs: readonly (readonly Measured[])[]; readonly notes: readonly string[] }>;
}

/** The median of three ignores one disturbed run. */
const STORED_RUNS = 3;
/** `BENCH_RUNS=1` shows that a row works. Its result is printed, but not stored. */
const RUNS = Number(process.env['BENCH_RUNS'] ?? STORED_RUNS);
export const isStored = RUNS >= STORED_RUNS && process.env['BENCH_SPLIT'] === undefined;

export async function repeat<Result>(run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < RUNS; index++) results.push(await run());
  return results;
}
