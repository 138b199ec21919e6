import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/**
 * Replaces the clocks and timers of this process: time does not pass while code runs, and jumps to the next timer when all
 * of it waits. Code that waits for anything else, such as a socket, hangs. A test file that uses it must run in a process
 * of its own.
 */
export interface VirtualTime {
  /** Milliseconds since the start. */
  now(): number;
  /** Runs the timers that are due by then. */
  runUntil(ms: number): Promise<void>;
  /** Returns the process to its own time. Timers that have not run are dropped. */
  end(): void;
}

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
  ref(): Timer;
  unref(): Timer;
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  dateNow: Date.now.bind(Date),
  performanceNow: performance.now.bind(performance),
  sleep: timersPromises.setTimeout,
  immediate: timersPromises.setImmediate,
};

/** The same for each run, so that a seed repeats it to the last bit. Later than the times of this process. */
const STARTED_AT_MS = Date.parse('2040-01-01T00:00:00Z');

export function startVirtualTime(): VirtualTime {
  const timers: Timer[] = [];
  let nowMs = 0;

  function add(run: () => void, delayMs = 0): Timer {
    const timer: Timer = { atMs: nowMs + Math.max(delayMs, 0), run, ref: () => timer, unref: () => timer };
    const index = timers.findLastIndex(({ atMs }) => atMs <= timer.atMs);
    timers.splice(index + 1, 0, timer);
    return timer;
  }

  function remove(timer: Timer | undefined): void {
    const index = timer ? timers.indexOf(timer) : -1;
    if (index >= 0) timers.splice(index, 1);
  }

  async function sleep<Value>(delayMs?: number, value?: Value, { signal }: { signal?: AbortSignal } = {}) {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const timer = add(() => resolve(value as Value), delayMs);
    signal?.addEventListener('abort', () => {
      remove(timer);
      reject(signal.reason as Error);
    });
    return await promise;
  }

  replace({
    setTimeout: ((run: (...values: unknown[]) => void, delayMs?: number, ...values: unknown[]) =>
      add(() => run(...values), delayMs)) as unknown as typeof setTimeout,
    clearTimeout: ((timer?: Timer) => remove(timer)) as unknown as typeof clearTimeout,
    setImmediate: ((run: (...values: unknown[]) => void, ...values: unknown[]) =>
      add(() => run(...values))) as unknown as typeof setImmediate,
    dateNow: () => STARTED_AT_MS + nowMs,
    performanceNow: () => nowMs,
    sleep: sleep as typeof timersPromises.setTimeout,
    immediate: ((value?: unknown) => sleep(0, value)) as typeof timersPromises.setImmediate,
  });

  return {
    now: () => nowMs,
    async runUntil(ms) {
      await untilAllWait();
      for (let next = timers[0]; next && next.atMs <= ms; next = timers[0]) {
        timers.shift();
        nowMs = next.atMs;
        next.run();
        await untilAllWait();
      }
      nowMs = ms;
    },
    end() {
      timers.length = 0;
      replace(real);
    },
  };
}

/** All promises that can be settled are settled before an immediate runs. */
async function untilAllWait(): Promise<void> {
  await new Promise((resolve) => real.setImmediate(resolve));
}

function replace(clocks: typeof real): void {
  const { setTimeout, clearTimeout, setImmediate, dateNow, performanceNow, sleep, immediate } = clocks;
  Object.assign(globalThis, { setTimeout, clearTimeout, setImmediate });
  Date.now = dateNow;
  performance.now = performanceNow;
  Object.assign(timersPromises, { setTimeout: sleep, setImmediate: immediate });
  syncBuiltinESMExports();
}
