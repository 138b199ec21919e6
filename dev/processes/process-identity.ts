import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process as it is remembered across runs: the pid alone may belong to somebody else by then. */
export interface RememberedProcess {
  readonly name: string;
  readonly pid: number;
  readonly identity: string;
}

/** Field 22 of `/proc/<pid>/stat` counted after the closing bracket of the command name, which may hold spaces. */
const START_TIME_FIELD = 19;
const STATE_FIELD = 0;

/** What tells this process from a later one with the same pid; undefined where no such process runs. */
export function processIdentity(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[STATE_FIELD] === 'Z') return undefined;
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${bootId}/${fields[START_TIME_FIELD]}`;
  } catch {
    return undefined;
  }
}

/** Whether exactly the remembered process still runs. */
export function isRunning({ pid, identity }: Pick<RememberedProcess, 'pid' | 'identity'>): boolean {
  return processIdentity(pid) === identity;
}

export interface StopRemembered {
  readonly process: RememberedProcess;
  readonly signal: NodeJS.Signals;
  readonly deadlineMs: number;
}

/** Stops a process that is no child of this one: politely, and by force after the deadline. */
export async function stopRemembered({ process: remembered, signal, deadlineMs }: StopRemembered): Promise<void> {
  const forceAtMs = performance.now() + deadlineMs;
  if (isRunning(remembered)) sendSignal(remembered.pid, signal);
  while (isRunning(remembered)) {
    if (performance.now() > forceAtMs) sendSignal(remembered.pid, 'SIGKILL');
    await sleep(25);
  }
}

/** Sends a signal; false where the process is gone already. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
