import type { RowResult } from './figures.ts';
import type { System, SystemOptions } from '../system/system.ts';

/** One row of the bench, with all that it measures on one freshly started system. */
export interface Row {
  readonly title: string;
  /** Settings of worker and API that differ from the defaults. */
  readonly env?: NodeJS.ProcessEnv;
  /** Another Temporal than the development server. */
  readonly startTemporal?: SystemOptions['startTemporal'];
  measure(bench: { readonly system: System; readonly say: (text: string) => void }): Promise<RowResult>;
}

/** How often each figure is measured: the median of three leaves out one run that something disturbed. */
const RUNS = 3;

/** Measures so often, one run after the other. */
export async function repeat<Result>(run: (index: number) => Promise<Result>, times = RUNS): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < times; index++) results.push(await run(index));
  return results;
}
