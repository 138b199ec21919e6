/** One request per delivery, because each has its own rules, its own audit entry, and may fail alone. */
export interface BulkOutcome {
  readonly deliveryId: string;
  /** Null if it succeeded. */
  readonly error: Error | null;
}

export interface BulkRun {
  readonly ids: readonly string[];
  readonly act: (deliveryId: string) => Promise<unknown>;
  /** Called after each delivery. */
  readonly onOutcome: (outcome: BulkOutcome) => void;
  /** Stops before the next delivery. */
  readonly signal: AbortSignal;
  /** Waits if the service asks for it. Returns false if the failure is final. */
  readonly waitFor: (error: unknown) => Promise<boolean>;
}

const CONCURRENCY = 4;
const MAX_TRIES = 5;

export async function runBulk({ ids, act, onOutcome, signal, waitFor }: BulkRun): Promise<void> {
  const waiting = [...ids];
  await Promise.all(Array.from({ length: CONCURRENCY }, work));

  async function work(): Promise<void> {
    for (let id = waiting.shift(); id !== undefined && !signal.aborted; id = waiting.shift()) {
      onOutcome({ deliveryId: id, error: await attempt(id) });
    }
  }

  async function attempt(id: string): Promise<Error | null> {
    for (let tries = 1; ; tries++) {
      try {
        await act(id);
        return null;
      } catch (error) {
        if (tries < MAX_TRIES && !signal.aborted && (await waitFor(error))) continue;
        return error instanceof Error ? error : new Error(String(error));
      }
    }
  }
}
