import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The identity distinguishes processes, because the operating system reuses pids. */
export interface RememberedProcess {
  readonly name: string;
  readonly pid: number;
  readonly identity: string;
}

/** Field 22 of `/proc/<pid>/stat`, counted after the command name, which may contain spaces. */
const START_TIME_FIELD = 19;
const STATE_FIELD = 0;

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

export function isRunning({ pid, identity }: Pick<RememberedProcess, 'pid' | 'identity'>): boolean {
  return processIdentity(pid) === identity;
}

export interface StopRemembered {
  readonly process: RememberedProcess;
  readonly signal: NodeJS.Signals;
  readonly deadlineMs: number;
}

export async function stopRemembered({ process: remembered, signal, deadlineMs }: StopRemembered): Promise<void> {
  const forceAtMs = performance.now() + deadlineMs;
  if (isRunning(remembered)) sendSignal(remembered.pid, signal);
  while (isRunning(remembered)) {
    if (performance.now() > forceAtMs) sendSignal(remembered.pid, 'SIGKILL');
    await sleep(25);
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
