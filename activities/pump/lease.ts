import { LEASE_MS } from '../../db/ledger/shards/shard-leases.ts';

/** The leases of all shards of a worker, which are renewed together. */
export interface Lease {
  /** Measured from the start of a request, so that the lease expires here before it expires in the database. */
  isValid(): boolean;
  /** `askedAtMs`: by `leaseNow`, before the request was sent. */
  renewed(askedAtMs: number): void;
}

/** No POST starts in the last part of a lease. */
const SAFETY_MS = 250;

const startedAheadMs = Date.now() - performance.now();
let leadMs = 0;

/**
 * Milliseconds by whichever clock has run further since the process started: the monotonic one stops while the machine
 * is suspended, and the other one may be set back. Never decreases.
 */
export function leaseNow(): number {
  const monotonicMs = performance.now();
  leadMs = Math.max(leadMs, Date.now() - startedAheadMs - monotonicMs);
  return monotonicMs + leadMs;
}

/** Expired until it is renewed. */
export function createLease(): Lease {
  let validUntilMs = -Infinity;
  return {
    isValid: () => leaseNow() < validUntilMs,
    renewed: (at) => void (validUntilMs = Math.max(validUntilMs, at + LEASE_MS - SAFETY_MS)),
  };
}
