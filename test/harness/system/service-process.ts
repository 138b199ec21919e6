import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../until.ts';

export interface ServiceProcessOptions {
  readonly kind: 'worker' | 'api' | 'gateway';
  readonly number: number;
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: (line: string) => void;
  /** Optional. The folder with the sources. Default: this tree. */
  readonly root?: string;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const tree = join(import.meta.dirname, '../../..');
const STARTED = { worker: '"worker.started"', api: '"api.started"', gateway: '"gateway.started"' } as const;
const START_DEADLINE_MS = 240_000;
const LAST_WORDS_MS = 3_000;
const LAST_LINES_MS = 1_000;

/** A real service process. It is not restarted automatically. */
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

  async start(): Promise<void> {
    const { kind, number, env, onLine, root = tree } = this.#options;
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

  /** Whether it is a worker that runs workflows as a version. */
  get hasVersion(): boolean {
    const { kind, env } = this.#options;
    return kind === 'worker' && env['WORKER_ROLES'] !== 'pump' && env['WORKER_VERSIONING'] !== 'off';
  }

  isAlive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async kill9(): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#end;
  }

  /** Kills it and starts it again. */
  async crash(): Promise<void> {
    await this.kill9();
    await this.start();
  }

  async endTalking(): Promise<void> {
    const force = setTimeout(() => void this.kill9(), LAST_WORDS_MS);
    await this.stop();
    clearTimeout(force);
  }

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
