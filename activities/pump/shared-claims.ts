import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Claim, claimDeliveries, type ClaimedDelivery, type ClaimRequest } from '../../db/ledger/claim.ts';
import {
  claimDebounced,
  type DebouncedClaim,
  type DebouncedRequest,
} from '../../db/ledger/claims/debounced-deliveries.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import { isDebounced } from '../../contract/destinations/options.ts';
import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { Traces } from '../../process/traces/traces.ts';

/** Claims for the pumps of a process. Its cost follows the statements, not the number of shards. */
export interface SharedClaims {
  /** A shard may have one open claim. */
  claim(request: ClaimRequest): Promise<Claim>;
  /** One statement at a time, so that claims always have a connection. */
  claimDebounced(request: DebouncedRequest): Promise<DebouncedClaim>;
}

/** A second one continues while the first meets a slow shard. */
const MAX_STATEMENTS = 2;
/**
 * A statement that returns n rows is followed by the next one after sqrt(n) times this. The time between statements
 * then grows with the rate of rows: 2 ms at 1,000 rows per second, where each statement returns two rows, and 11 ms at
 * 5,000. A time in proportion to n would be either the longest or none.
 */
const SPACING_MS = 1.5;
const MAX_SPACING_MS = 15;

interface Waiting {
  readonly request: ClaimRequest;
  readonly answer: PromiseWithResolvers<Claim>;
}

export interface ClaimClock {
  /** Monotonic milliseconds. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const systemClock: ClaimClock = { now: () => performance.now(), sleep: (ms) => sleep(ms) };

/** Requests that arrive during a statement, or too soon after it began, share the next one. */
export function createSharedClaims(pool: HotPool, clock = systemClock, traceClaims?: TraceClaims): SharedClaims {
  let waiting: Waiting[] = [];
  let statementCount = 0;
  let nextAtMs = 0;
  let lastDebounced: Promise<unknown> = Promise.resolve();
  return {
    claimDebounced(request) {
      const claimed = lastDebounced.then(() => tracedDebounced(request));
      lastDebounced = claimed.catch(() => undefined);
      return claimed;
    },
    claim(request) {
      const answer = Promise.withResolvers<Claim>();
      waiting.push({ request, answer });
      if (statementCount < MAX_STATEMENTS) void run();
      return answer.promise;
    },
  };

  async function tracedDebounced(request: DebouncedRequest): Promise<DebouncedClaim> {
    const startedAtMs = Date.now();
    const claimed = await claimDebounced(pool, request);
    for (const row of claimed.deliveries) traceClaims?.([row, ...(row.following ?? [])], startedAtMs);
    return claimed;
  }

  async function run(): Promise<void> {
    statementCount++;
    // Wake-ups of several shards often arrive together.
    await nextTurn();
    while (waiting.length > 0) {
      const restMs = nextAtMs - clock.now();
      if (restMs > 0) await clock.sleep(restMs);
      else await answerWaiting();
    }
    statementCount--;
  }

  async function answerWaiting(): Promise<void> {
    const batch = waiting;
    waiting = [];
    const beganMs = clock.now();
    nextAtMs = beganMs + MAX_SPACING_MS;
    const rowCount = await answerAll(batch);
    nextAtMs = beganMs + Math.min(Math.sqrt(rowCount) * SPACING_MS, MAX_SPACING_MS);
  }

  async function answerAll(batch: readonly Waiting[]): Promise<number> {
    const startedAtMs = Date.now();
    try {
      const claims = await claimDeliveries(
        pool,
        batch.map(({ request }) => request),
      );
      // The pump discards those of debounced destinations, and claims them when they are due.
      const kept = ({ options }: ClaimedDelivery): boolean => !isDebounced(options);
      for (const { deliveries } of claims) traceClaims?.(deliveries.filter(kept), startedAtMs);
      for (const [index, { answer }] of batch.entries()) answer.resolve(claims[index]!);
      return claims.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
      return 0;
    }
  }
}

/** Shows claims in the traces of sampled events. A row of another event costs one comparison. */
export type TraceClaims = (deliveries: readonly ClaimedDelivery[], startedAtMs: number) => void;

export function createTraceClaims({ traces, idKey }: { readonly traces: Traces; readonly idKey: IdKey }): TraceClaims {
  return (deliveries, startedAtMs) => {
    for (const { id, eventId, traceParent, attemptCount } of deliveries) {
      if (traceParent === null) continue;
      const attributes = {
        'delivery.id': sequencedId(idKey, 'delivery', id),
        'event.id': sequencedId(idKey, 'event', eventId),
        'delivery.attempts_made': attemptCount,
      };
      traces.child('delivery.claim', { traceParent }, { attributes, startedAtMs })?.end();
    }
  };
}
