/**
 * Keeps destinations at their rate. A destination belongs to one shard, and so to one pump, which counts its requests in
 * memory. In any second, at most `perSecond` requests begin: up to 99 a second they are spaced evenly; above, a
 * fiftieth of them may begin together, because timers are late, and the refill leaves room for these.
 *
 * A destination that is not known has been idle since the pump last took over a shard. Then its tokens were used up: the
 * previous pump may have sent at the full rate until it stopped.
 */
export interface RateLimiter {
  /** Whether a request may begin now. If not, `onReady` is called when one may. */
  mayBegin(destinationId: number, perSecond: number | undefined): boolean;
  /** Counts a request that `mayBegin` allowed. */
  began(destinationId: number): void;
  /** Other pumps may have sent to any of the destinations until now. */
  restart(): void;
  close(): void;
}

export interface RateLimiterOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onReady: () => void;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

const SECOND_MS = 1_000;
/** The part of a second's requests that may begin together. */
const BURST_SHARE = 1 / 50;
/** Forgotten when they are full again. */
const MAX_IDLE_BUCKETS = 1_000;
/** Sums of fractions may fall short of a whole token. */
const WHOLE = 1 - 1e-9;

export function createRateLimiter({ now, onReady }: RateLimiterOptions): RateLimiter {
  const buckets = new Map<number, Bucket>();
  let restartedMs = now();
  let pruneAt = MAX_IDLE_BUCKETS;
  let timer: NodeJS.Timeout | undefined;
  let readyAtMs = Infinity;

  return {
    mayBegin(destinationId, perSecond) {
      if (perSecond === undefined) return true;
      const bucket = bucketOf(destinationId);
      refill(bucket, perSecond);
      if (bucket.tokens >= WHOLE) return true;
      wakeAt(bucket.atMs + ((1 - bucket.tokens) * SECOND_MS) / refillOf(perSecond));
      return false;
    },
    began(destinationId) {
      const bucket = buckets.get(destinationId);
      if (bucket) bucket.tokens--;
    },
    restart() {
      buckets.clear();
      restartedMs = now();
    },
    close() {
      clearTimeout(timer);
      readyAtMs = -Infinity;
    },
  };

  function bucketOf(destinationId: number): Bucket {
    const known = buckets.get(destinationId);
    if (known) return known;
    if (buckets.size >= pruneAt) prune();
    const bucket = { tokens: 0, atMs: restartedMs };
    buckets.set(destinationId, bucket);
    return bucket;
  }

  /** A bucket is full after a second at any rate. */
  function prune(): void {
    const fullSinceMs = now() - SECOND_MS;
    for (const [id, { atMs }] of buckets) if (atMs < fullSinceMs) buckets.delete(id);
    pruneAt = Math.max(MAX_IDLE_BUCKETS, buckets.size * 2);
  }

  function refill(bucket: Bucket, perSecond: number): void {
    const nowMs = now();
    const gained = ((nowMs - bucket.atMs) * refillOf(perSecond)) / SECOND_MS;
    bucket.tokens = Math.min(bucket.tokens + gained, burstOf(perSecond));
    bucket.atMs = nowMs;
  }

  function wakeAt(atMs: number): void {
    if (atMs >= readyAtMs) return;
    readyAtMs = atMs;
    clearTimeout(timer);
    timer = setTimeout(ready, Math.max(Math.ceil(atMs - now()), 1));
  }

  function ready(): void {
    readyAtMs = Infinity;
    onReady();
  }
}

function burstOf(perSecond: number): number {
  return Math.max(Math.floor(perSecond * BURST_SHARE), 1);
}

function refillOf(perSecond: number): number {
  const burst = burstOf(perSecond);
  return burst === 1 ? perSecond : perSecond - burst;
}
