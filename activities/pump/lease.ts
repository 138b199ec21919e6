import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLease, LEASE_MS, releaseLease, renewLease } from '../../db/ledger/shard-leases.ts';
import type { HotPool } from '../../db/core/hot-pool.ts';
import type { Log } from '../../process/log.ts';

export interface Lease {
  readonly fence: number;
  /** Measured from the start of a renewal request, so that the lease expires here before it expires in the database. */
  isValid(): boolean;
  /** Returns false if another holder has the lease. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** No POST starts in the last part of a lease. */
const SAFETY_MS = 250;
const RETRY_MS = 100;

export interface AcquireOptions {
  readonly pool: HotPool;
  readonly shard: number;
  readonly holder: string;
  readonly signal: AbortSignal;
  readonly log: Log;
}

export async function waitForLease(options: AcquireOptions): Promise<Lease | undefined> {
  const { pool, shard, signal, log } = options;
  // Unique per pump, because after a Temporal outage two pumps of a worker may overlap.
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
