import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { cpuSecondsOfMachine, cpuSecondsOfTree } from '../system/process-facts.ts';
import { reachText, type Figure, type RowResult } from './figures.ts';

/** Contains no names or paths, because results are committed. */
export interface Machine {
  readonly cores: number;
  readonly memoryGb: number;
  readonly loadAverageBefore: number;
  /** In cores. More than about 0.2 distorts the figures. */
  readonly coresUsedByOthers: number;
}

const BYTES_PER_GB = 1024 ** 3;
const resultsFolder = join(import.meta.dirname, '../results');

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

export async function writeResult(row: string, { machine, result }: { machine: Machine; result: RowResult }) {
  await mkdir(resultsFolder, { recursive: true });
  const text = JSON.stringify({ row, machine, ...result }, null, 2);
  // Keeps each list of runs on one line, for comparisons.
  const compact = text.replace(/\[([-\d.,\s]+)\]/g, (_, list: string) => `[${list.trim().replaceAll(/\s+/g, ' ')}]`);
  await writeFile(join(resultsFolder, `${row}.json`), `${compact}\n`);
}

export function printResult(row: string, { machine, result }: { machine: Machine; result: RowResult }): void {
  const { cores, memoryGb, loadAverageBefore, coresUsedByOthers } = machine;
  const rows = result.figures.map(toCells);
  const table = [['', 'median', 'to floor', 'reach', '', 'runs'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((cells) => cells[column]!.length)));
  const load = `load average before: ${loadAverageBefore}, used by others: ${coresUsedByOthers} cores`;
  console.log(`\n${row} (${cores} cores, ${memoryGb} GB, ${load})`);
  for (const cells of table) console.log(`  ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')}`);
  if (result.floor) console.log(`  The floor: ${JSON.stringify(result.floor)}`);
  for (const note of result.notes) console.log(`  ${note}`);
}

function toCells({ name, unit, median, reach, isReached, runs, ratioToFloor }: Figure): string[] {
  const verdict = isReached === null ? '' : isReached ? 'reached' : 'MISSED';
  const ratio = ratioToFloor === undefined ? '' : `× ${ratioToFloor}`;
  return [name, `${median} ${unit}`, ratio, reach ? reachText(reach) : '', verdict, runs.join(', ')];
}
