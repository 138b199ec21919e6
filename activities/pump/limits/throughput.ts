/** Measures settled rows per millisecond, weighted towards the last seconds. */
export interface Throughput {
  add(): void;
  /** Undefined until enough time has passed. */
  perMs(): number | undefined;
}

/** Slow receivers settle in bursts of one round trip; this smooths them. */
const MEMORY_MS = 2_000;
const TICK_MS = 100;

export function createThroughput(now: () => number): Throughput {
  let rows = 0;
  let spanMs = 0;
  let fresh = 0;
  let tickMs = now();

  return {
    add: () => void fresh++,
    perMs() {
      const elapsedMs = now() - tickMs;
      if (elapsedMs >= TICK_MS) {
        const kept = Math.exp(-elapsedMs / MEMORY_MS);
        rows = rows * kept + fresh;
        spanMs = spanMs * kept + elapsedMs;
        tickMs += elapsedMs;
        fresh = 0;
      }
      return spanMs === 0 ? undefined : rows / spanMs;
    },
  };
}
