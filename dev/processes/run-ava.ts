import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const AVA = join(import.meta.dirname, '../../node_modules/ava/entrypoints/cli.js');
/** More than twice what all tests need on two cores. AVA's own time-out does not run while a test has asked for more time. */
const LIMIT_MS = 45 * 60_000;
/** For AVA to print which tests are pending. */
const LAST_WORDS_MS = 20_000;
/** Many tests wait for other processes, so that one process per core leaves the cores idle. */
const CONCURRENCY = Math.max(3, availableParallelism());
export const INTERRUPTED_EXIT_CODE = 130;

export interface RunAva {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Ends the tests when aborted. */
  readonly signal: AbortSignal;
  /** Optional. Gets what AVA and the tests print, which otherwise goes to the terminal. */
  readonly read?: (streams: readonly Readable[]) => Promise<void>;
}

/**
 * Its settings are in package.json. Not in worker threads: a native module of Temporal's SDK sometimes crashed while its
 * thread ended, and all tests with it. The time-out, without any result of a test, is longer than the waits of a test.
 *
 * Runs AVA and returns its exit code. Ends it after LIMIT_MS, so that a test which never ends fails with its name. Also
 * ends all processes that the tests have started and left.
 */
export async function runAva({ args, env, signal, read }: RunAva): Promise<number> {
  const concurrency = args.includes('--concurrency') ? [] : ['--concurrency', String(CONCURRENCY)];
  // A group of its own, because a killed test process can't end the services that it has started.
  const stdio: StdioOptions = read ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const tests: ChildProcess = spawn(process.execPath, [AVA, ...concurrency, ...args], { env, stdio, detached: true });
  const hasRead = read?.([tests.stdout!, tests.stderr!]);
  const killGroup = (): void => {
    try {
      process.kill(-tests.pid!, 'SIGKILL');
    } catch {
      // All have ended.
    }
  };
  process.once('exit', killGroup);
  let isLate = false;
  let force: NodeJS.Timeout | undefined;
  const end = (): void => {
    // AVA then prints the pending tests.
    tests.kill('SIGINT');
    force ??= setTimeout(killGroup, LAST_WORDS_MS);
  };
  const limit = setTimeout(() => {
    isLate = true;
    process.stderr.write(`The tests did not end within ${LIMIT_MS / 60_000} minutes.\n`);
    end();
  }, LIMIT_MS);
  signal.addEventListener('abort', end);
  const [code, endSignal] = await once(tests, 'exit');
  clearTimeout(limit);
  clearTimeout(force);
  signal.removeEventListener('abort', end);
  killGroup();
  await hasRead;
  process.off('exit', killGroup);
  if (endSignal !== null) process.stderr.write(`The test runner was ended by ${endSignal}.\n`);
  if (signal.aborted) return INTERRUPTED_EXIT_CODE;
  return isLate ? 1 : (code ?? INTERRUPTED_EXIT_CODE);
}
