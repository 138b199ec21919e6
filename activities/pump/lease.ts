import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease, LEASE_MS, releaseLease, renewLease } from '../../db/ledger/shard-leases.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';

/** The right to serve a shard until the lease expires. */
export interface Lease {
  readonly fence: number;
  /**
   * Returns true while this pump may send. Counts from the moment a renewal was requested; the database counts from a
   * later moment, so the lease always ends here first.
   */
  isValid(): boolean;
  /** Renews the lease. Resolves to false if another holder has it; rejects if the database does not answer. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** No POST starts in the last part of a lease, so that none begins after it expired. */
const SAFETY_MS = 250;
const RETRY_MS = 100;

export interface AcquireOptions {
  readonly pool: HotPool;
  readonly shard: number;
  /** Name of the worker, for operators. */
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Waits until the shard's lease is free and acquires it. Resolves to undefined if `signal` aborts first. */
export async function waitForLease(options: AcquireOptions): Promise<Lease | undefined> {
  const { pool, shard, signal, log } = options;
  // Unique per pump: after a Temporal outage a worker may start a shard's next pump before the previous one has ended.
  const holder = `${options.holder}/${randomUUID()}`;
  while (!signal.aborted) {
    const askedAtMs = performance.now();
    try {
      const fence = await acquireLease(pool, { shard, holder });
      if (fence !== undefined) return createLease({ pool, shard, fence, askedAtMs });
    } catch (error) {
      log.warn('lease.acquireFailed', { error, shard });
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
