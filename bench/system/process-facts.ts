import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  /** Includes ended children. */
  readonly cpuSeconds: number;
  readonly ownCpuSeconds: number;
}

/** USER_HZ is 100 on all supported architectures. */
const TICKS_PER_SECOND = 100;
const KB_PER_MB = 1024;

export function cpuSecondsOfTree(rootPid: number): number {
  const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
  const tree = new Set([rootPid]);
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parentPid } of stats) if (tree.has(parentPid)) tree.add(pid);
  }
  return stats.reduce((sum, { pid, cpuSeconds }) => sum + (tree.has(pid) ? cpuSeconds : 0), 0);
}

/** Without its children: for a supervisor of processes that are counted themselves. */
export function ownCpuSeconds(pid: number): number {
  return readStat(pid)?.ownCpuSeconds ?? 0;
}

export function cpuSecondsOfMachine(): number {
  return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb) / KB_PER_MB);
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command in parentheses may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const secondsOf = (indexes: readonly number[]): number =>
      indexes.reduce((sum, index) => sum + Number(fields[index]), 0) / TICKS_PER_SECOND;
    const ownCpuSeconds = secondsOf([11, 12]);
    return { pid, parentPid: Number(fields[1]), cpuSeconds: ownCpuSeconds + secondsOf([13, 14]), ownCpuSeconds };
  } catch {
    return undefined;
  }
}
