import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../until.ts';

export interface ServiceProcessOptions {
  readonly kind: 'worker' | 'api' | 'gateway';
  readonly number: number;
  readonly env: Readonly<Record<string, string>>;
  /** Takes each line that it writes, from its first start on. */
  readonly onLine: (line: string) => void;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const root = join(import.meta.dirname, '../../..');
/** What every process says once it serves. */
const STARTED = { worker: '"worker.started"', api: '"api.started"', gateway: '"gateway.started"' } as const;
const START_DEADLINE_MS = 120_000;
const LAST_WORDS_MS = 3_000;
/** Lines may still be in the pipe when a process is gone. */
const LAST_LINES_MS = 1_000;

/**
 * A real process of the service as a child of the test: it does not come back by itself, so that a test decides when
 * it dies and when it is there again.
 */
export class ServiceProcess {
  readonly #options: ServiceProcessOptions;
  #child: ChildProcess | undefined;
  #end: Promise<ProcessEnd> = Promise.resolve({ code: null, signal: null });

  constructor(options: ServiceProcessOptions) {
    this.#options = options;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error(`The ${this.#options.kind} does not run`);
    return this.#child.pid;
  }

  /** Starts it and waits until it serves. */
  async start(): Promise<void> {
    const { kind, number, env, onLine } = this.#options;
    let isUp = false;
    const child = spawn(process.execPath, [join(root, kind, 'main.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        isUp ||= line.includes(STARTED[kind]);
        onLine(`${kind} ${number} | ${line}`);
      });
    }
    this.#child = child;
    this.#end = endOf(child);
    let isGone = false;
    void this.#end.then(() => (isGone = true));
    await until(() => isUp || isGone, { for: `The start of the ${kind}`, timeoutMs: START_DEADLINE_MS });
    if (!isUp) throw new Error(`The ${kind} ended at its start: ${JSON.stringify(await this.#end)}`);
  }

  /** `kill -9`: it gets to finish nothing. */
  async kill9(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#end;
  }

  /** Ends it at the end of a test that failed: what it has still to say may explain why. */
  async endTalking(): Promise<void> {
    const force = setTimeout(() => void this.kill9(), LAST_WORDS_MS);
    await this.stop();
    clearTimeout(force);
  }

  /** Asks it to stop, and waits for its end. */
  async stop(): Promise<ProcessEnd> {
    this.#child?.kill('SIGTERM');
    return await this.#end;
  }
}

async function endOf(child: ChildProcess): Promise<ProcessEnd> {
  const dieWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', dieWithUs);
  const closed = once(child, 'close');
  const [code, signal] = await once(child, 'exit');
  process.off('exit', dieWithUs);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LAST_LINES_MS))]);
  return { code, signal };
}
