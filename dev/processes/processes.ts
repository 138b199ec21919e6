import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Supervision of one child process: started until ready, or failed with the tail of its output; started again when it
 * dies; stopped politely, and by force after a deadline; ended when this process exits without having stopped it.
 *
 * A child gets a process group of its own, so that Ctrl-C in the terminal reaches this process alone, which then
 * stops its children in the right order.
 */
export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user to run as; only root may give one. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly stopSignal?: NodeJS.Signals;
  readonly stopDeadlineMs: number;
  readonly startDeadlineMs: number;
  readonly isReady: (child: { readonly pid: number; readonly tail: readonly string[] }) => Promise<boolean> | boolean;
  /** A failure at the start that passes by itself, told from the tail of the output. */
  readonly isPassing?: (tail: readonly string[]) => boolean;
}

export interface ProcessWatch {
  readonly onLine: (line: string) => void;
  readonly onPid: (pid: number | undefined) => void;
  readonly onNotice: (text: string) => void;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal | undefined;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Thrown when a process can't be started; the message shows the last lines that it wrote. */
export class StartFailed extends Error {
  override name = 'StartFailed';
}

const TAIL_LINES = 200;
const SHOWN_LINES = 25;
const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 5_000;
/** A process that lived this long gets its next restart without a wait. */
const HEALTHY_AFTER_MS = 10_000;
const READY_POLL_MS = 50;
/** Output may still be in the pipe when a process is gone; grandchildren may keep the pipe open for ever. */
const LAST_OUTPUT_MS = 300;

/** Starts a process and resolves when it is ready; from then on it is started again whenever it dies. */
export async function startProcess(spec: ProcessSpec, watch: ProcessWatch): Promise<RunningProcess> {
  const supervised = new SupervisedProcess(spec, watch);
  const stop = () => void supervised.stop();
  watch.signal?.addEventListener('abort', stop);
  try {
    await supervised.start();
  } finally {
    watch.signal?.removeEventListener('abort', stop);
  }
  return supervised;
}

class SupervisedProcess implements RunningProcess {
  readonly #spec: ProcessSpec;
  readonly #watch: ProcessWatch;
  #child: ChildProcess | undefined;
  #ended: Promise<string> = Promise.resolve('never started');
  #tail: string[] = [];
  #stopping = false;
  #backoffMs = FIRST_BACKOFF_MS;
  #restart: NodeJS.Timeout | undefined;

  constructor(spec: ProcessSpec, watch: ProcessWatch) {
    this.#spec = spec;
    this.#watch = watch;
  }

  get name(): string {
    return this.#spec.name;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const lateAtMs = performance.now() + this.#spec.startDeadlineMs;
    for (;;) {
      this.#spawn();
      const outcome = await this.#readyOrNot(lateAtMs);
      if (outcome === 'ready') return this.#keepAlive();
      const passing = outcome !== 'late' && this.#spec.isPassing?.(this.#tail) && performance.now() < lateAtMs;
      if (passing && !this.#stopping) {
        await sleep(FIRST_BACKOFF_MS);
        continue;
      }
      await this.stop();
      throw new StartFailed(this.#failureMessage(outcome));
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child) return;
    child.kill(this.#spec.stopSignal ?? 'SIGTERM');
    const force = setTimeout(() => {
      this.#watch.onNotice(`did not stop within ${this.#spec.stopDeadlineMs / 1000} s: ending it by force`);
      this.#kill();
    }, this.#spec.stopDeadlineMs);
    await this.#ended;
    clearTimeout(force);
  }

  #kill(): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#child?.kill('SIGKILL');
    }
  }

  #spawn(): void {
    const { command, args, env, cwd, user } = this.#spec;
    this.#tail = [];
    const child = spawn(command, args, {
      env,
      ...(cwd && { cwd }),
      ...user,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => this.#record(line));
    }
    const endWithUs = () => this.#kill();
    process.once('exit', endWithUs);
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => {
        this.#record(error.message);
        if (child.pid === undefined) resolve('could not be started');
      });
      child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with exit code ${code}`));
    });
    void this.#ended.then(() => {
      process.off('exit', endWithUs);
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#watch.onPid(undefined);
    });
    if (child.pid !== undefined) this.#watch.onPid(child.pid);
  }

  #record(line: string): void {
    this.#tail.push(line);
    if (this.#tail.length > TAIL_LINES) this.#tail.shift();
    this.#watch.onLine(line);
  }

  async #readyOrNot(lateAtMs: number): Promise<string> {
    const child = this.#child;
    const closed = child && once(child, 'close').catch(() => undefined);
    while (performance.now() < lateAtMs) {
      const pid = this.#child?.pid;
      if (pid === undefined || this.#stopping) {
        await Promise.race([closed, sleep(LAST_OUTPUT_MS)]);
        return this.#ended;
      }
      if (await this.#spec.isReady({ pid, tail: this.#tail })) return 'ready';
      await Promise.race([this.#ended, sleep(READY_POLL_MS)]);
    }
    return 'late';
  }

  /** Starts it again when it dies: at once after a long life, with doubling waits when it dies young. */
  #keepAlive(): void {
    const startedAtMs = performance.now();
    void this.#ended.then((how) => {
      if (this.#stopping) return;
      if (performance.now() - startedAtMs > HEALTHY_AFTER_MS) this.#backoffMs = FIRST_BACKOFF_MS;
      this.#watch.onNotice(`${how}; starting it again in ${this.#backoffMs / 1000} s`);
      this.#restart = setTimeout(() => {
        this.#spawn();
        this.#keepAlive();
      }, this.#backoffMs);
      this.#backoffMs = Math.min(this.#backoffMs * 2, LONGEST_BACKOFF_MS);
    });
  }

  #failureMessage(outcome: string): string {
    const how = outcome === 'late' ? `was not ready after ${this.#spec.startDeadlineMs / 1000} s` : outcome;
    const lines = this.#tail.slice(-SHOWN_LINES).map((line) => `  ${line}\n`);
    return `${this.#spec.name} ${how}.${lines.length > 0 ? ` Its last lines:\n${lines.join('')}` : ' It wrote nothing.'}`;
  }
}
