import type { ExecutionContext } from 'ava';

/** The process's clock has milliseconds, the database's has microseconds. */
const ROUNDING_MS = 2;

export interface ExpectedWait {
  readonly waitMs: number;
  readonly sinceMs: number;
}

/** Asserts that a time is `waitMs` after a moment between the start of the operation and now. */
export function isWaitedFor(t: ExecutionContext, at: Date | string, { waitMs, sinceMs }: ExpectedWait): void {
  const startMs = new Date(at).getTime() - waitMs;
  const isWithin = startMs >= sinceMs - ROUNDING_MS && startMs <= Date.now() + ROUNDING_MS;
  t.true(isWithin, `${startMs - sinceMs} ms after the operation started`);
}
