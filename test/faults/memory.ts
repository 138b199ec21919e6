import type { StopList } from '../../dev/processes/stop-list.ts';
import { residentMb } from '../../bench/system/process-facts.ts';
import type { SupervisedProcess } from './supervised-process.ts';

const LOOK_MS = 500;

/** Resident memory of a process in MB; 0 if the system doesn't report it. */
export class MemoryWatch {
  /** The maximum across all starts of the process. */
  mostMb = 0;
  lastMb = 0;

  constructor(watched: SupervisedProcess, stops: StopList) {
    const timer = setInterval(() => this.#note(memoryMb(watched.pid)), LOOK_MS);
    stops.add({ name: 'memory watch', stop: async () => clearInterval(timer) });
  }

  #note(mb: number): void {
    this.mostMb = Math.max(this.mostMb, mb);
    if (mb > 0) this.lastMb = mb;
  }
}

/** Zero without the process, or if the system is not Linux. */
export function memoryMb(pid: number | undefined): number {
  try {
    return pid === undefined ? 0 : residentMb(pid);
  } catch {
    return 0; // The process has just exited.
  }
}
