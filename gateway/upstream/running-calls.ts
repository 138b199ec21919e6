import { setTimeout as sleep } from 'node:timers/promises';

/** Calls to the platform, so that a stop can answer their callers while the calls continue. */
export interface RunningCalls {
  /** Settles like the call, or rejects with `early` when the callers are answered. */
  wait<Answer>(call: Promise<Answer>, early: () => Error): Promise<Answer>;
  /** Calls `end` when the callers are answered, unless the returned function is called first. */
  untilEnd(end: () => void): () => void;
  readonly hasEnded: () => boolean;
  /** Answers all callers that wait. */
  end(): void;
  /** Resolves when no call is left, at the latest after this time. */
  idle(withinMs: number): Promise<void>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<Promise<unknown>>();
  const ends = new Set<() => void>();
  let hasEnded = false;

  function untilEnd(end: () => void): () => void {
    ends.add(end);
    return () => void ends.delete(end);
  }

  return {
    async wait(call, early) {
      const over: Promise<boolean> = call.then(
        () => running.delete(over),
        () => running.delete(over),
      );
      running.add(over);
      const { promise: answeredEarly, reject } = Promise.withResolvers<never>();
      const settled = untilEnd(() => reject(early()));
      try {
        return await Promise.race([call, answeredEarly]);
      } finally {
        settled();
      }
    },
    untilEnd,
    hasEnded: () => hasEnded,
    end() {
      hasEnded = true;
      for (const end of [...ends]) end();
    },
    async idle(withinMs) {
      if (running.size === 0) return;
      await Promise.race([Promise.all(running), sleep(withinMs, undefined, { ref: false })]);
    },
  };
}
