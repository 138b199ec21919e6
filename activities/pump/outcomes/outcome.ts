import type { Attempt } from '../../../db/ledger/attempts.ts';
import type { ClaimedDelivery } from '../../../db/ledger/claim.ts';
import type { HeldLease } from '../../../db/ledger/shards/shard-leases.ts';
import type { SentAttempt } from '../../deliveries/send-delivery.ts';

/** A request that has ended and is not yet in the ledger. Its deliveries are recorded together. */
export interface Outcome {
  readonly row: ClaimedDelivery;
  readonly attempt: SentAttempt;
  /** Under which the request was sent. */
  readonly lease: HeldLease;
}

export interface DeliveryOutcome {
  readonly row: ClaimedDelivery;
  readonly attempt: Attempt;
}

/** The attempts of the deliveries in the request, which are several only if their destination is debounced. */
export function attemptsOf({ row, attempt }: Outcome): readonly DeliveryOutcome[] {
  const { following = [] } = row;
  if (following.length === 0) return [{ row, attempt }];
  return [{ row, attempt }, ...following.map((one, index) => ({ row: one, attempt: attempt.following![index]! }))];
}

export function attemptCountOf({ row }: Outcome): number {
  return 1 + (row.following?.length ?? 0);
}

/** Outcomes of locked destinations are not in the ledger. */
export function splitLocked<Settled extends Outcome>(
  outcomes: readonly Settled[],
  lockedIds: ReadonlySet<number>,
): { readonly locked: readonly Settled[]; readonly settled: readonly Settled[] } {
  if (lockedIds.size === 0) return { locked: [], settled: outcomes };
  const isLocked = ({ row }: Settled): boolean => lockedIds.has(row.destinationId);
  return { locked: outcomes.filter(isLocked), settled: outcomes.filter((outcome) => !isLocked(outcome)) };
}

export function endedAtMs({ startedAtMs, durationMs }: Attempt): number {
  return startedAtMs + durationMs;
}

export function destinationIdOf({ row }: Outcome): number {
  return row.destinationId;
}

export function toSettled({ row, attempt }: DeliveryOutcome) {
  return { deliveryId: row.id, destinationId: row.destinationId, attempt };
}

/** For a database that rejects the receiver's answer. */
export function withoutResponse({ row, attempt, lease }: Outcome): Outcome {
  const { following } = attempt;
  return { row, lease, attempt: { ...emptied(attempt), ...(following && { following: following.map(emptied) }) } };
}

function emptied<One extends Attempt>(attempt: One): One {
  return { ...attempt, responseHeaders: null, responseBody: null, responseBodyKeyId: null };
}
