import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { cpuSecondsOfMachine, cpuSecondsOfTree } from '../system/process-facts.ts';
import { reachText, type Figure, type RowResult } from './figures.ts';

/** What a figure depends on besides the code; no names and no paths. */
export interface Machine {
  readonly cores: number;
  readonly memoryGb: number;
  /** Over the last minute, before the row began. */
  readonly loadAverageBefore: number;
  /** What other programs used while the row ran, in cores: above a tenth or two they spoil what it measured. */
  readonly coresUsedByOthers: number;
}

const BYTES_PER_GB = 1024 ** 3;
const resultsFolder = join(import.meta.dirname, '../results');

/** Begins to watch the machine; the function that it returns tells what there was to see. */
export function watchMachine(): () => Machine {
  const [loadAverageBefore = 0] = loadavg();
  const startedAtMs = performance.now();
  const usedByOthers = (): number => cpuSecondsOfMachine() - cpuSecondsOfTree(process.pid);
  const before = usedByOthers();
  return () => ({
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / BYTES_PER_GB),
    loadAverageBefore: Number(loadAverageBefore.toFixed(2)),
    coresUsedByOthers: Number((((usedByOthers() - before) * 1000) / (performance.now() - startedAtMs)).toFixed(2)),
  });
}

/** Writes a row's result beside the bench, where it is committed. */
export async function writeResult(row: string, { machine, result }: { machine: Machine; result: RowResult }) {
  await mkdir(resultsFolder, { recursive: true });
  const text = JSON.stringify({ row, machine, ...result }, null, 2);
  // A line for each list of runs, so that two results can be compared by eye.
  const compact = text.replace(/\[([-\d.,\s]+)\]/g, (_, list: string) => `[${list.trim().replaceAll(/\s+/g, ' ')}]`);
  await writeFile(join(resultsFolder, `${row}.json`), `${compact}\n`);
}

export function printResult(row: string, { machine, result }: { machine: Machine; result: RowResult }): void {
  const { cores, memoryGb, loadAverageBefore, coresUsedByOthers } = machine;
  const rows = result.figures.map(toCells);
  const table = [['', 'median', 'reach', '', 'runs'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  const load = `load average before: ${loadAverageBefore}, used by others: ${coresUsedByOthers} cores`;
  console.log(`\n${row} (${cores} cores, ${memoryGb} GB, ${load})`);
  for (const cells of table) console.log(`  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`);
  for (const note of result.notes) console.log(`  ${note}`);
}

function toCells({ name, unit, median, reach, isReached, runs }: Figure): string[] {
  const verdict = isReached === null ? '' : isReached ? 'reached' : 'MISSED';
  return [name, `${median} ${unit}`, reach ? reachText(reach) : '', verdict, runs.join(', ')];
}
