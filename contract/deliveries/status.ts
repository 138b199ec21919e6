/**
 * The states of a delivery and the moves between them.
 *
 *   pending ──first attempt──▶ delivered | retrying (a workflow owns it) | skipped | cancelled
 *           ──failed attempts while its destination's circuit is open──▶ pending still; exhausted by age
 *   retrying ──workflow──────▶ delivered | exhausted | skipped | cancelled
 *   exhausted, cancelled, skipped ──a person's retry──▶ pending;  a late 2xx ──▶ delivered
 *
 * `delivered` is final: a 2xx is always recorded, also over `cancelled` (design 2.7).
 */
export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'exhausted', 'cancelled', 'skipped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const deliveryTransitions: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  pending: ['retrying', 'delivered', 'exhausted', 'cancelled', 'skipped'],
  retrying: ['pending', 'delivered', 'exhausted', 'cancelled', 'skipped'],
  delivered: [],
  exhausted: ['pending', 'delivered'],
  cancelled: ['pending', 'delivered'],
  skipped: ['pending', 'delivered'],
};

export function canMove(from: DeliveryStatus, to: DeliveryStatus): boolean {
  return deliveryTransitions[from].includes(to);
}

/** The states from which this one may be reached; SQL takes it as its `where status in (…)`. */
export function statusesBefore(to: DeliveryStatus): readonly DeliveryStatus[] {
  return deliveryStatuses.filter((from) => canMove(from, to));
}

export const attemptOutcomes = ['accepted', 'rejected', 'no_response', 'blocked'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const skipReasons = ['forwarding_disabled', 'no_destination', 'destination_disabled'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Whether events go to a destination one after the other within a conversation, or each as soon as it can. */
export const destinationOrderings = ['conversation', 'none'] as const;
export type DestinationOrdering = (typeof destinationOrderings)[number];

export const destinationTypes = ['webhook', 'subscription', 'listener'] as const;
export type DestinationType = (typeof destinationTypes)[number];
