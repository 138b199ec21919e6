import { BoundedMap } from '../process/bounded-map.ts';

/**
 * Distinguishes a failing name from a failing resolver. Only time in which the resolver answered for other names counts,
 * at most MAX_STEP_MS per failure. A resolver outage therefore adds almost nothing, and a rarely used name needs many
 * failures before it is blamed.
 */
export interface UnansweredNames {
  /** The name server answered for this name, with or without addresses. */
  answered(name: string): void;
  failed(name: string): boolean;
}

export interface UnansweredOptions {
  readonly blameAfterMs: number;
  readonly now: () => number;
}

/** About the time between look-ups of a name that fails. */
const MAX_STEP_MS = 30_000;
const MAX_NAMES = 10_000;

interface Failing {
  readonly lastAtMs: number;
  /** The failure from which the next one counts. */
  readonly countedAtMs: number;
  readonly provenMs: number;
}

export function createUnansweredNames({ blameAfterMs, now }: UnansweredOptions): UnansweredNames {
  const failing = new BoundedMap<string, Failing>(MAX_NAMES);
  let last = { name: '', atMs: -Infinity };
  let lastOfOthers = last;

  function lastAnsweredBeside(name: string): number {
    return last.name === name ? lastOfOthers.atMs : last.atMs;
  }

  function isFresh({ lastAtMs }: Failing, atMs: number): boolean {
    return atMs - lastAtMs <= blameAfterMs;
  }

  return {
    answered(name) {
      failing.delete(name);
      if (last.name !== name) lastOfOthers = last;
      last = { name, atMs: now() };
    },
    failed(name) {
      const atMs = now();
      const known = failing.get(name);
      const before = known && isFresh(known, atMs) ? known : { lastAtMs: atMs, countedAtMs: atMs, provenMs: 0 };
      const sinceMs = atMs - before.countedAtMs;
      const isProven = lastAnsweredBeside(name) > before.countedAtMs;
      const provenMs = before.provenMs + (isProven ? Math.min(sinceMs, MAX_STEP_MS) : 0);
      // Without proof that the resolver works, at most MAX_STEP_MS accumulates.
      const countedAtMs = isProven || sinceMs > MAX_STEP_MS ? atMs : before.countedAtMs;
      failing.set(name, { lastAtMs: atMs, countedAtMs, provenMs });
      return isProven && provenMs >= blameAfterMs;
    },
  };
}
