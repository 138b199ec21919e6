import { LEASE_MS } from '../../db/ledger/shards/shard-leases.ts';

export interface Lease {
  readonly fence: number;
  /** Measured from the start of a request, so that the lease expires here before it expires in the database. */
  isValid(): boolean;
  /** `askedAtMs`: by `leaseNow`, before the request was sent. */
  renewed(askedAtMs: number): void;
  /** The lease is released or another holder has it. */
  end(): void;
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

/** `askedAtMs`: by `leaseNow`, before the request was sent. */
export function createLease({ fence, askedAtMs }: { readonly fence: number; readonly askedAtMs: number }): Lease {
  let validUntilMs = askedAtMs + LEASE_MS - SAFETY_MS;
  let isEnded = false;
  return {
    fence,
    isValid: () => !isEnded && leaseNow() < validUntilMs,
    renewed: (at) => void (validUntilMs = Math.max(validUntilMs, at + LEASE_MS - SAFETY_MS)),
    end: () => void (isEnded = true),
  };
}
