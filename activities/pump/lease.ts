import { LEASE_MS } from '../../db/ledger/shards/shard-leases.ts';

export interface Lease {
  readonly fence: number;
  /** Measured from the start of a request, so that the lease expires here before it expires in the database. */
  isValid(): boolean;
  renewed(askedAtMs: number): void;
  /** The lease is released or another holder has it. */
  end(): void;
}

/** No POST starts in the last part of a lease. */
const SAFETY_MS = 250;

export function createLease({ fence, askedAtMs }: { readonly fence: number; readonly askedAtMs: number }): Lease {
  let validUntilMs = askedAtMs + LEASE_MS - SAFETY_MS;
  let isEnded = false;
  return {
    fence,
    isValid: () => !isEnded && performance.now() < validUntilMs,
    renewed: (at) => void (validUntilMs = Math.max(validUntilMs, at + LEASE_MS - SAFETY_MS)),
    end: () => void (isEnded = true),
  };
}
