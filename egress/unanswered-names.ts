/**
 * Tells a name whose own name server fails from a resolver that fails. A resolver that fails for everybody is our fault,
 * and nobody is charged with it. Only the time counts in which other names were resolved while this one failed: a
 * failure adds the time since the last one that was counted, if another name was resolved in between, and a bounded part
 * of it. So an outage of ours adds next to nothing, and a name that is seldom asked for is judged by many failures and
 * not by two.
 */
export interface UnansweredNames {
  resolved(name: string): void;
  /** Counts a failure; true once the name has failed for so long that it is its own fault. */
  failed(name: string): boolean;
}

export interface UnansweredOptions {
  /** From then on it is the name's fault. */
  readonly blameAfterMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/** So much counts for a failure at most: as long as the waits are between the attempts that a fault of ours brings about. */
const MAX_STEP_MS = 30_000;
const MAX_NAMES = 10_000;

interface Failing {
  /** Its last failure. */
  readonly lastAtMs: number;
  /** The failure up to which time has been counted, or from which it is. */
  readonly countedAtMs: number;
  readonly provenMs: number;
}

export function createUnansweredNames({ blameAfterMs, now }: UnansweredOptions): UnansweredNames {
  const failing = new Map<string, Failing>();
  /** The last two names that were resolved, and when: the later of them may be the one that is asked about. */
  let last = { name: '', atMs: -Infinity };
  let lastOfOthers = last;

  function lastResolvedBeside(name: string): number {
    return last.name === name ? lastOfOthers.atMs : last.atMs;
  }

  /** Long ago it failed for other reasons, as far as anybody knows. */
  function isFresh({ lastAtMs }: Failing, atMs: number): boolean {
    return atMs - lastAtMs <= blameAfterMs;
  }

  return {
    resolved(name) {
      failing.delete(name);
      if (last.name !== name) lastOfOthers = last;
      last = { name, atMs: now() };
    },
    failed(name) {
      const atMs = now();
      const known = failing.get(name);
      failing.delete(name); // the one that failed longest ago is the first to be forgotten
      const before = known && isFresh(known, atMs) ? known : { lastAtMs: atMs, countedAtMs: atMs, provenMs: 0 };
      const sinceMs = atMs - before.countedAtMs;
      const isProven = lastResolvedBeside(name) > before.countedAtMs;
      const provenMs = before.provenMs + (isProven ? Math.min(sinceMs, MAX_STEP_MS) : 0);
      // While nobody speaks for the resolver no more time is saved up than one failure may add.
      const countedAtMs = isProven || sinceMs > MAX_STEP_MS ? atMs : before.countedAtMs;
      failing.set(name, { lastAtMs: atMs, countedAtMs, provenMs });
      if (failing.size > MAX_NAMES) failing.delete(failing.keys().next().value ?? '');
      return isProven && provenMs >= blameAfterMs;
    },
  };
}
