import { ServiceUnavailable } from './errors.ts';

/** A call to the platform that a client waits for. */
export interface DirectCall<Answer> {
  readonly act: (progress: CallProgress) => Promise<Answer>;
  /** The error for a client that leaves before the outcome of a sent write is known. */
  readonly unknown: () => Error;
}

export interface CallProgress {
  /** Aborts if the call must end before its first write. */
  readonly signal: AbortSignal;
  /** Called before each request that may change something. */
  readonly onWrite: () => void;
}

/**
 * The calls to the platform of a process, so that a stop can answer their clients. A call that has written nothing is
 * given up. One that has written continues without its client, and stores its outcome under its Idempotency-Key.
 */
export interface DirectCalls {
  run<Answer>(call: DirectCall<Answer>): Promise<Answer>;
  /** Answers all clients, and refuses later calls. */
  end(): void;
  /** Resolves when no call is left. */
  idle(): Promise<void>;
}

export function createDirectCalls(): DirectCalls {
  const running = new Map<() => void, Promise<unknown>>();
  let hasEnded = false;

  return {
    async run({ act, unknown }) {
      if (hasEnded) throw new ServiceUnavailable('The server is stopping. Nothing was done. Try again shortly.');
      const unsent = new AbortController();
      const { promise: answeredEarly, reject } = Promise.withResolvers<never>();
      let hasWritten = false;
      const end = (): void => (hasWritten ? reject(unknown()) : unsent.abort(new ServerStopping()));
      const acting = act({ signal: unsent.signal, onWrite: () => (hasWritten = true) });
      const over = acting.then(
        () => running.delete(end),
        () => running.delete(end),
      );
      running.set(end, over);
      return await Promise.race([acting, answeredEarly]);
    },
    end() {
      hasEnded = true;
      for (const end of running.keys()) end();
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
}

/** The platform client shows the code, and no message. */
class ServerStopping extends Error {
  readonly code = 'SERVER_STOPPING';
}
