import type { Started } from './start-and-await.ts';

export interface PendingCalls {
  run<Result>(call: () => Promise<Started<Result>>): Promise<Started<Result>>;
  /** Answers all pending calls with `unknown` and every later call with `not_started`. */
  end(): void;
}

/**
 * Creates a set of pending calls that a stopping process can answer early. An answered call continues without its
 * caller, so its outcome is unknown, as after a timeout. Closing the connection would leave the client without a
 * response.
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
