import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

/** What Linux tells of processes; the bench runs there alone. */
interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  /** Its own time and that of children that have ended and were waited for. */
  readonly cpuSeconds: number;
}

/** USER_HZ, which Linux has fixed at 100 on every architecture that we run on. */
const TICKS_PER_SECOND = 100;
const KB_PER_MB = 1024;

/** Processor seconds that a process and all that descends from it have used, the ended ones included. */
export function cpuSecondsOfTree(rootPid: number): number {
  const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
  const tree = new Set([rootPid]);
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parentPid } of stats) if (tree.has(parentPid)) tree.add(pid);
  }
  return stats.reduce((sum, { pid, cpuSeconds }) => sum + (tree.has(pid) ? cpuSeconds : 0), 0);
}

/** Processor seconds that everything on this machine has used. */
export function cpuSecondsOfMachine(): number {
  return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}

/** Resident memory. */
export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb) / KB_PER_MB);
}

/** Undefined for a process that has ended meanwhile. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses, which may hold anything; the rest begins with the third.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { pid, parentPid: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}
