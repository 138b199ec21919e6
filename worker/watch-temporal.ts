import type { ConnectionLike } from '@temporalio/client';
import { isReachable } from '../workflow-starts/is-reachable.ts';

export interface TemporalWatch {
  connected(connection: ConnectionLike): void;
  /** How long Temporal has not answered; 0 while it does. Calls Temporal at most every few seconds. */
  unreachableMs(): Promise<number>;
}

const FRESH_FOR_MS = 5_000;

/** Counts from its creation until Temporal answers first. `now` is monotonic. */
export function watchTemporal(now: () => number = () => performance.now()): TemporalWatch {
  let connection: ConnectionLike | undefined;
  let answeredAtMs = now();
  let asked: { readonly atMs: number; readonly answer: Promise<boolean> } | undefined;
  return {
    connected: (established) => void (connection = established),
    async unreachableMs() {
      if (!asked || now() - asked.atMs >= FRESH_FOR_MS) {
        asked = { atMs: now(), answer: connection ? isReachable(connection) : Promise.resolve(false) };
      }
      const { atMs, answer } = asked;
      if (await answer) answeredAtMs = Math.max(answeredAtMs, atMs);
      return (await answer) ? 0 : now() - answeredAtMs;
    },
  };
}
