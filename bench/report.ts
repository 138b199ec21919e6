import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { reachText, type Figure, type RowResult } from './figures.ts';

/** What a figure depends on besides the code; no names and no paths. */
export interface Machine {
  readonly cores: number;
  readonly memoryGb: number;
  /** Over the last minute, before the row began: above a few tenths others had a part of the cores. */
  readonly loadAverageBefore: number;
}

const BYTES_PER_GB = 1024 ** 3;
const resultsFolder = join(import.meta.dirname, 'results');

export function readMachine(): Machine {
  const [loadAverageBefore = 0] = loadavg();
  return {
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / BYTES_PER_GB),
    loadAverageBefore: Number(loadAverageBefore.toFixed(2)),
  };
}

/** Writes a row's result beside the bench, where it is committed. */
export async function writeResult(row: string, { machine, result }: { machine: Machine; result: RowResult }) {
  await mkdir(resultsFolder, { recursive: true });
  const text = JSON.stringify({ row, machine, ...result }, null, 2);
  // A line for each list of runs, so that two results can be compared by eye.
  const compact = text.replace(/\[\s+([-\d.,\s]+?)\s+\]/g, (_, list: string) => `[${list.replace(/\s+/g, ' ')}]`);
  await writeFile(join(resultsFolder, `${row}.json`), `${compact}\n`);
}

export function printResult(row: string, { machine, result }: { machine: Machine; result: RowResult }): void {
  const { cores, memoryGb, loadAverageBefore } = machine;
  const rows = result.figures.map(toCells);
  const table = [['', 'median', 'reach', '', 'runs'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  console.log(`\n${row} (${cores} cores, ${memoryGb} GB, load average before: ${loadAverageBefore})`);
  for (const cells of table) console.log(`  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`);
  for (const note of result.notes) console.log(`  ${note}`);
}

function toCells({ name, unit, median, reach, isReached, runs }: Figure): string[] {
  const verdict = isReached === null ? '' : isReached ? 'reached' : 'MISSED';
  return [name, `${median} ${unit}`, reach ? reachText(reach) : '', verdict, runs.join(', ')];
}
