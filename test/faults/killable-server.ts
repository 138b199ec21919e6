import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessWatch } from '../../dev/processes/processes.ts';
import type { StopList } from '../../dev/processes/stop-list.ts';

export interface ServerLaunch {
  readonly name: string;
  launch(onPid: ProcessWatch['onPid']): Promise<{ stop(): Promise<void> }>;
}

const START_DEADLINE_MS = 240_000;
const AGAIN_MS = 500;

/** A server that stays down after a kill until it is started. Its supervisor handles other exits. */
export class KillableServer {
  readonly #launch: ServerLaunch;
  #running: { stop(): Promise<void> } | undefined;
  #pid: number | undefined;

  constructor(launch: ServerLaunch, stops: StopList) {
    this.#launch = launch;
    stops.add({ name: launch.name, stop: () => this.#end() });
  }

  /** Retries if the disk is full or the previous process has not quite exited. */
  async start(): Promise<void> {
    const lateAtMs = performance.now() + START_DEADLINE_MS;
    for (;;) {
      try {
        this.#running = await this.#launch.launch((pid) => (this.#pid = pid));
        return;
      } catch (error) {
        if (performance.now() > lateAtMs) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  async kill9(): Promise<void> {
    try {
      if (this.#pid !== undefined) process.kill(this.#pid, 'SIGKILL');
    } catch {
      // Another fault has just killed it.
    }
    await this.#end(); // Cleared in the same turn, so that the supervisor does not restart it.
  }

  async #end(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.stop();
  }
}
