import { setTimeout as sleepFor } from 'node:timers/promises';

/**
 * Lengthens small commits of busy times. A commit costs about 1.4 ms of processor time besides its items. Without a
 * pause, clients that wait for their answers form two groups that are committed in turn, each half as large as possible.
 */
export interface CommitPace {
  /** Resolves when the next commit may begin. */
  ready(): Promise<void>;
  /** Runs a commit and takes its time. */
  timed(requestCount: number, commit: () => Promise<void>): Promise<void>;
}

/** A request alone shows that there is nothing to wait for. */
const LEAST_REQUESTS = 2;
/** From here on, the items cost more than the commit. */
const ENOUGH_REQUESTS = 64;
/** Clients answer within it on a busy machine. Accepting may take this much longer. */
const LONGEST_PAUSE_MS = 3;
/** Timers have a resolution of 1 ms. */
const SHORTEST_PAUSE_MS = 0.5;

export interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const systemClock: Clock = { now: () => performance.now(), sleep: (ms) => sleepFor(ms) };

/** Pauses after a commit as long as it took, so that commits take up half of the time. */
export function createCommitPace({ now, sleep }: Clock = systemClock): CommitPace {
  let readyAtMs = 0;
  return {
    async ready() {
      const pauseMs = readyAtMs - now();
      if (pauseMs >= SHORTEST_PAUSE_MS) await sleep(pauseMs);
    },
    async timed(requestCount, commit) {
      const startedAtMs = now();
      await commit();
      const endedAtMs = now();
      const isSmall = requestCount >= LEAST_REQUESTS && requestCount < ENOUGH_REQUESTS;
      readyAtMs = isSmall ? endedAtMs + Math.min(endedAtMs - startedAtMs, LONGEST_PAUSE_MS) : endedAtMs;
    },
  };
}
