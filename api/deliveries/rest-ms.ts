import type { StreamTimes } from '../requests/deps.ts';

/** A reader of changes uses the database for at most a fifth of the time. */
const REST_FACTOR = 4;

export function restMs(read: { readonly readMs: number; readonly isFull: boolean }, times: StreamTimes): number {
  return Math.min(times.heartbeatMs, Math.max(read.isFull ? 0 : times.pollMs, read.readMs * REST_FACTOR));
}
