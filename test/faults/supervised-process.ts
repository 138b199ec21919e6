import { setTimeout as sleep } from 'node:timers/promises';
import type { StopList } from '../../dev/processes/stop-list.ts';
import { ServiceProcess, type ServiceProcessOptions } from '../harness/system/service-process.ts';

const LOOK_MS = 200;
const AGAIN_MS = 500;

/**
 * A service process under a supervisor, which restarts it after an unexpected exit and keeps trying while its
 * dependencies are down.
 */
export class SupervisedProcess {
  readonly name: string;
  /** Exits that no fault caused. */
  endedByItselfCount = 0;
  readonly #process: ServiceProcess;
  #isWanted = false;
  #isUp = false;

  constructor(options: ServiceProcessOptions, stops: StopList) {
    this.name = `${options.kind} ${options.number}`;
    this.#process = new ServiceProcess(options);
    const look = setInterval(() => void this.#look(), LOOK_MS);
    stops.add({
      name: this.name,
      stop: async () => {
        clearInterval(look);
        await this.kill9();
      },
    });
  }

  get pid(): number | undefined {
    return this.#isUp ? this.#process.pid : undefined;
  }

  /** Resolves when the process is ready, or was killed before it was ready. */
  async start(): Promise<void> {
    this.#isWanted = true;
    while (this.#isWanted && !this.#isUp) {
      try {
        await this.#process.start();
        this.#isUp = this.#isWanted;
      } catch {
        await sleep(AGAIN_MS); // The database is probably down. The process logs the reason.
      }
    }
  }

  /** Ignored while it does not run, because another fault may have killed it. */
  signal(signal: NodeJS.Signals): void {
    try {
      if (this.#isUp) process.kill(this.#process.pid, signal);
    } catch {
      // Another fault has just killed it.
    }
  }

  async kill9(): Promise<void> {
    this.#isWanted = false;
    this.#isUp = false;
    await this.#process.kill9();
  }

  async #look(): Promise<void> {
    if (!this.#isUp || isAlive(this.#process.pid)) return;
    this.#isUp = false;
    this.endedByItselfCount++;
    await sleep(AGAIN_MS);
    if (this.#isWanted) await this.start();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
