import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease, LEASE_MS, releaseLease, renewLease } from '../../db/ledger/shard-leases.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';

/** The right to serve a shard, as long as it is renewed. */
export interface Lease {
  readonly fence: number;
  /**
   * Whether this pump may still send. Judged by the monotonic clock from the moment a renewal was *asked for*: the
   * database counts from later, so this side always ends first.
   */
  isValid(): boolean;
  /** Renews once; false when the lease is lost for good. A database that does not answer is not a loss yet. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Room for a request on its way when the lease ends: no POST begins in the last part of a lease. */
const SAFETY_MS = 250;
const RETRY_MS = 100;

export interface AcquireOptions {
  readonly pool: HotPool;
  readonly shard: number;
  /** Names the worker, for people who look. */
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Waits until the shard's lease is free and takes it; undefined when `signal` aborts first. */
export async function waitForLease(options: AcquireOptions): Promise<Lease | undefined> {
  const { pool, shard, signal, log } = options;
  // A pump's own, not its worker's: after a Temporal outage a worker may get a shard's next pump before its last ended.
  const holder = `${options.holder}/${randomUUID()}`;
  while (!signal.aborted) {
    const askedAtMs = performance.now();
    try {
      const fence = await acquireLease(pool, { shard, holder });
      if (fence !== undefined) return createLease({ pool, shard, fence, askedAtMs });
    } catch (error) {
      log.warn('lease.refused', { error, shard });
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}

function createLease(options: { pool: HotPool; shard: number; fence: number; askedAtMs: number }): Lease {
  const { pool, shard, fence } = options;
  let validUntilMs = options.askedAtMs + LEASE_MS - SAFETY_MS;
  return {
    fence,
    isValid: () => performance.now() < validUntilMs,
    async renew() {
      const askedAtMs = performance.now();
      if (!(await renewLease(pool, { shard, fence }))) return false;
      validUntilMs = askedAtMs + LEASE_MS - SAFETY_MS;
      return true;
    },
    async release() {
      validUntilMs = 0;
      await releaseLease(pool, { shard, fence });
    },
  };
}
