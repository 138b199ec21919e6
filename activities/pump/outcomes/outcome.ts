import type { Attempt } from '../../../db/ledger/attempts.ts';
import type { ClaimedDelivery } from '../../../db/ledger/claim.ts';

/** An attempt that has ended and is not yet in the ledger. */
export interface Outcome {
  readonly row: ClaimedDelivery;
  readonly attempt: Attempt;
}

export function toSettled({ row, attempt }: Outcome) {
  return { deliveryId: row.id, destinationId: row.destinationId, attempt };
}

/** For a database that rejects the receiver's answer. */
export function withoutResponse({ row, attempt }: Outcome): Outcome {
  return { row, attempt: { ...attempt, responseHeaders: null, responseBody: null, responseBodyKeyId: null } };
}
