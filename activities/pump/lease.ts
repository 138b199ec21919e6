import { LEASE_MS } from '../../db/ledger/shards/shard-leases.ts';

export interface Lease {
  readonly fence: number;
  /**
   * Measured from the start of a request, so that the lease expires here before it expires in the database. Measured
   * with both clocks: the monotonic one stops while the machine is suspended, and the other one may be set back.
   */
  isValid(): boolean;
  renewed(askedAtMs: number): void;
  /** The lease is released or another holder has it. */
  end(): void;
}

/** No POST starts in the last part of a lease. */
const SAFETY_MS = 250;

/** `askedAtMs`: by the monotonic clock. */
export function createLease({ fence, askedAtMs }: { readonly fence: number; readonly askedAtMs: number }): Lease {
  let validUntilMs = askedAtMs + LEASE_MS - SAFETY_MS;
  let aheadMs = Date.now() - performance.now();
  let isEnded = false;
  return {
    fence,
    isValid: () => !isEnded && Math.max(performance.now(), Date.now() - aheadMs) < validUntilMs,
    renewed(at) {
      validUntilMs = Math.max(validUntilMs, at + LEASE_MS - SAFETY_MS);
      aheadMs = Date.now() - performance.now();
    },
    end: () => void (isEnded = true),
  };
}
