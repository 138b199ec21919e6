import type { Started } from './start-and-await.ts';

/** The calls that callers are waiting for, which a process that stops answers early. */
export interface PendingCalls {
  /** Makes a call, and returns its outcome or, if `end` is called first, `unknown`. */
  run<Result>(call: () => Promise<Started<Result>>): Promise<Started<Result>>;
  /** Answers all pending calls with `unknown`. Later calls are not made: they return `not_started`. */
  end(): void;
}

/**
 * Creates an empty set of pending calls. A call that is answered early continues without its caller, so that its outcome is
 * as unknown as that of a call that ran out of time, and the API answers the request as it does then. A connection that
 * is cut off would leave the client without an answer.
 */
export function createPendingCalls(): PendingCalls {
  const pending = new Set<() => void>();
  let hasEnded = false;

  return {
    async run<Result>(call: () => Promise<Started<Result>>) {
      if (hasEnded) return { state: 'not_started', cause: stopping() };
      const { promise: ended, resolve } = Promise.withResolvers<Started<Result>>();
      const end = (): void => resolve({ state: 'unknown', cause: stopping() });
      pending.add(end);
      try {
        return await Promise.race([call(), ended]);
      } finally {
        pending.delete(end);
      }
    },
    end() {
      hasEnded = true;
      for (const end of pending) end();
    },
  };
}

const stopping = (): Error => new Error('The process is stopping');

/**
 * Time that requests need after their wait has ended: to read their row and to answer. Ten seconds is ample for a busy
 * machine and leaves most of the grace period to the workflows.
 */
const ANSWER_RESERVE_MS = 10_000;

/** Returns how long after the request to stop calls may stay pending. Half of a short grace period is left for answers. */
export function pendingCallsEndAfterMs(graceMs: number): number {
  return Math.max(graceMs / 2, graceMs - ANSWER_RESERVE_MS);
}
