import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Each child has a separate process group, so that Ctrl-C reaches only this process, which stops its children in order.
 */
export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly stopSignal?: NodeJS.Signals;
  readonly stopDeadlineMs: number;
  readonly startDeadlineMs: number;
  readonly isReady: (child: { readonly pid: number; readonly tail: readonly string[] }) => Promise<boolean> | boolean;
  /** Optional. Decides from the output whether to retry a failed start. */
  readonly isTransient?: (tail: readonly string[]) => boolean;
}

export interface ProcessWatch {
  readonly onLine: (line: string) => void;
  readonly onPid: (pid: number | undefined) => void;
  readonly onNotice: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

export class StartFailed extends Error {
  override name = 'StartFailed';
}

const TAIL_LINES = 200;
const SHOWN_LINES = 25;
const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 5_000;
const HEALTHY_AFTER_MS = 10_000;
const READY_POLL_MS = 50;
/** Output can arrive after the exit, and grandchildren can keep the pipe open forever. */
const LAST_OUTPUT_MS = 300;

/** Restarts the process whenever it dies after it was ready. */
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
      const outcome = await this.#waitUntilReady(lateAtMs);
      if (outcome === 'ready') return this.#keepAlive();
      const isRetryable = outcome !== 'late' && this.#spec.isTransient?.(this.#tail) && performance.now() < lateAtMs;
      if (isRetryable && !this.#stopping) {
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
      this.#watch.onNotice(`did not stop within ${this.#spec.stopDeadlineMs / 1000} s and is killed`);
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
    // Inherited: the files of a server are for its user only.
    const umask = process.umask(0o077);
    const child = spawn(command, args, {
      env,
      ...(cwd && { cwd }),
      ...user,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    process.umask(umask);
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
      child.once('exit', (code, signal) => resolve(signal ? `was killed by ${signal}` : `exited with code ${code}`));
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

  async #waitUntilReady(lateAtMs: number): Promise<string> {
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

  #keepAlive(): void {
    const startedAtMs = performance.now();
    void this.#ended.then((how) => {
      if (this.#stopping) return;
      if (performance.now() - startedAtMs > HEALTHY_AFTER_MS) this.#backoffMs = FIRST_BACKOFF_MS;
      this.#watch.onNotice(`${how}; restarting in ${this.#backoffMs / 1000} s`);
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
    return `${this.#spec.name} ${how}.${lines.length > 0 ? ` Last output:\n${lines.join('')}` : ' It had no output.'}`;
  }
}
