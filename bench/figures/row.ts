import type { RowResult } from './figures.ts';
import type { System, SystemOptions } from '../system/system.ts';

export interface Row {
  readonly title: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly startTemporal?: SystemOptions['startTemporal'];
  measure(bench: { readonly system: System; readonly say: (text: string) => void }): Promise<RowResult>;
}

/** The median of three ignores one disturbed run. */
const RUNS = 3;

export async function repeat<Result>(run: (index: number) => Promise<Result>, times = RUNS): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < times; index++) results.push(await run(index));
  return results;
}
