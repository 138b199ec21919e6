import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangedDelivery, ChangePage, ChangePosition } from '../../db/deliveries/changes.ts';
import type { Log } from '../../process/log.ts';
import type { StreamTimes } from '../requests/deps.ts';

/**
 * All streams of a workspace in this process share one read. A feed polls while it has streams, and keeps the changes
 * that some of them have not taken yet, up to `MAX_KEPT`. A stream that is behind reads on its own until it catches up.
 */
export interface ChangeFeeds {
  /** @param horizon read before, so that no change between it and the subscription is missed */
  subscribe(subscription: { readonly workspaceId: number; readonly horizon: bigint }): FeedSubscription;
}

export interface FeedSubscription {
  /** Returns up to `limit` changes, or undefined if the feed no longer has all changes after the position. */
  after(position: ChangePosition, limit: number): ChangePage | undefined;
  /** Resolves once the feed is beyond the position, after `timeoutMs`, or on abort. */
  waitBeyond(
    position: ChangePosition,
    wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<void>;
  close(): void;
}

export interface ChangeFeedsDeps {
  readonly read: (changes: { readonly workspaceId: number; readonly after: ChangePosition }) => Promise<ChangePage>;
  readonly log: Pick<Log, 'warn'>;
  readonly times: StreamTimes;
}

/** Limits the memory of streams whose clients read slowly. */
const MAX_KEPT = 200;

export function createChangeFeeds({ read, log, times }: ChangeFeedsDeps): ChangeFeeds {
  const feeds = new Map<number, Feed>();

  return {
    subscribe({ workspaceId, horizon }) {
      const feed = feeds.get(workspaceId) ?? start(workspaceId, horizon);
      return feed.subscribe(() => feeds.delete(workspaceId));
    },
  };

  function start(workspaceId: number, horizon: bigint): Feed {
    const feed = new Feed({ xid: horizon, id: 0 });
    feeds.set(workspaceId, feed);
    void poll(workspaceId, feed);
    return feed;
  }

  async function poll(workspaceId: number, feed: Feed): Promise<void> {
    while (!feed.ended.aborted) {
      const readAtMs = performance.now();
      const page = await read({ workspaceId, after: feed.position }).catch((error: unknown) => {
        log.warn('stream.readFailed', { error });
      });
      if (page) feed.add(page);
      const rest = restMs({ readMs: performance.now() - readAtMs, isFull: page?.isFull === true }, times);
      await sleep(rest, undefined, { signal: feed.ended }).catch(() => undefined);
    }
  }
}

class Feed {
  /** Everything after it and up to `position` is kept. */
  private since: ChangePosition;
  private kept: ChangedDelivery[] = [];
  private readonly takenUpTo = new Map<object, ChangePosition>();
  private readonly waiters = new Set<() => void>();
  private readonly ending = new AbortController();
  position: ChangePosition;

  constructor(position: ChangePosition) {
    this.since = position;
    this.position = position;
  }

  get ended(): AbortSignal {
    return this.ending.signal;
  }

  subscribe(onClose: () => void): FeedSubscription {
    const key = {};
    this.takenUpTo.set(key, this.position);
    return {
      after: (position, limit) => {
        this.takenUpTo.set(key, position);
        return this.after(position, limit);
      },
      waitBeyond: (position, wait) => this.waitBeyond(position, wait),
      close: () => {
        if (!this.takenUpTo.delete(key) || this.takenUpTo.size > 0) return;
        this.ending.abort();
        onClose();
      },
    };
  }

  add({ changes, next }: ChangePage): void {
    this.kept.push(...changes);
    this.position = next;
    this.forget();
    for (const wake of this.waiters) wake();
  }

  private after(position: ChangePosition, limit: number): ChangePage | undefined {
    if (isBefore(position, this.since)) return undefined;
    const changes = this.kept.slice(this.kept.findLastIndex((each) => !isBefore(position, each.position)) + 1);
    const isFull = changes.length > limit;
    if (isFull) changes.length = limit;
    const reached = isFull ? changes.at(-1)!.position : this.position;
    return { changes, isFull, next: isBefore(position, reached) ? reached : position };
  }

  private async waitBeyond(
    position: ChangePosition,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<void> {
    if (isBefore(position, this.position) || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = (): void => resolve();
    const timer = setTimeout(end, timeoutMs);
    const wake = (): void => {
      if (isBefore(position, this.position)) end();
    };
    this.waiters.add(wake);
    signal.addEventListener('abort', end);
    await promise;
    clearTimeout(timer);
    this.waiters.delete(wake);
    signal.removeEventListener('abort', end);
  }

  private forget(): void {
    const slowest = [...this.takenUpTo.values()].reduce((a, b) => (isBefore(a, b) ? a : b), this.position);
    const taken = this.kept.findLastIndex((each) => !isBefore(slowest, each.position)) + 1;
    const excess = Math.max(taken, this.kept.length - MAX_KEPT);
    const [last] = this.kept.splice(0, excess).slice(-1);
    if (last) this.since = last.position;
  }
}

function isBefore(a: ChangePosition, b: ChangePosition): boolean {
  return a.xid === b.xid ? a.id < b.id : a.xid < b.xid;
}

/** A reader of changes uses the database for at most a fifth of the time. */
const REST_FACTOR = 4;

export function restMs(read: { readonly readMs: number; readonly isFull: boolean }, times: StreamTimes): number {
  return Math.min(times.heartbeatMs, Math.max(read.isFull ? 0 : times.pollMs, read.readMs * REST_FACTOR));
}
