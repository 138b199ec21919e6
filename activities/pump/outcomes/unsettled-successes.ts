import type { Outcome } from './outcome.ts';

/**
 * Remembers when each destination last accepted an attempt that is not in the ledger yet. Accepted and failed attempts
 * are settled apart, so the ledger alone would take failures for consecutive that had a 2xx between them.
 */
export interface UnsettledSuccesses {
  add(outcome: Outcome): void;
  settled(outcomes: readonly Outcome[]): void;
  lastAtMs(destinationId: number): number | undefined;
}

export function createUnsettledSuccesses(): UnsettledSuccesses {
  const lastAtMs = new Map<number, number>();
  const endedAtMs = ({ attempt }: Outcome): number => attempt.startedAtMs + attempt.durationMs;
  return {
    add(outcome) {
      const { destinationId } = outcome.row;
      lastAtMs.set(destinationId, Math.max(lastAtMs.get(destinationId) ?? 0, endedAtMs(outcome)));
    },
    settled(outcomes) {
      for (const outcome of outcomes) {
        const { destinationId } = outcome.row;
        if ((lastAtMs.get(destinationId) ?? Infinity) <= endedAtMs(outcome)) lastAtMs.delete(destinationId);
      }
    },
    lastAtMs: (destinationId) => lastAtMs.get(destinationId),
  };
}
