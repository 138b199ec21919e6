import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StartChild {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** A file, because reading a pipe would cost the bench processor time. */
  readonly logPath: string;
  readonly isReady: (log: string) => Promise<boolean> | boolean;
}

/** Not restarted, so that an unintended exit shows. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

const READY_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 30_000;
const POLL_MS = 20;

export async function startChild({ name, args, env, logPath, isReady }: StartChild): Promise<Child> {
  const output = openSync(logPath, 'w', 0o600);
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  const endWithUs = (): boolean => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const ended = once(child, 'exit').finally(() => process.off('exit', endWithUs));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;

  const lateAtMs = performance.now() + READY_DEADLINE_MS;
  while (!(await isReady(await readFile(logPath, 'utf8')))) {
    if (!isRunning() || performance.now() > lateAtMs) {
      child.kill('SIGKILL');
      throw new Error(`The ${name} did not become ready:\n${(await readFile(logPath, 'utf8')).slice(-3_000)}`);
    }
    await sleep(POLL_MS);
  }
  return {
    name,
    pid: child.pid!,
    async stop() {
      const force = setTimeout(endWithUs, STOP_DEADLINE_MS);
      if (isRunning()) child.kill('SIGTERM');
      await ended;
      clearTimeout(force);
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
