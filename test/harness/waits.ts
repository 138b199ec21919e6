import type { ExecutionContext } from 'ava';

/** Of a clock that is read in whole milliseconds here and in microseconds by the database. */
const ROUNDING_MS = 2;

export interface ExpectedWait {
  readonly waitMs: number;
  /** When the act began that set the time. */
  readonly sinceMs: number;
}

/** Asserts that a time lies `waitMs` after some moment between the beginning of an act and now. */
export function isWaitedFor(t: ExecutionContext, at: Date | string, { waitMs, sinceMs }: ExpectedWait): void {
  const startMs = new Date(at).getTime() - waitMs;
  const isWithin = startMs >= sinceMs - ROUNDING_MS && startMs <= Date.now() + ROUNDING_MS;
  t.true(isWithin, `${startMs - sinceMs} ms after the act began`);
}
