/**
 * The states of a delivery and their transitions.
 *
 *   pending ──attempt──▶ delivered | retrying (a workflow owns it) | skipped | cancelled
 *           ──body can't be decrypted──▶ retrying
 *           ──failed attempts while the circuit is open──▶ stays pending; exhausted by age
 *           ──retry by a person while held──▶ retrying; pending again if its workflow cannot be signalled
 *   retrying ──workflow──────▶ delivered | exhausted | skipped | cancelled
 *   exhausted, cancelled, skipped ──retry by a person──▶ pending;  late 2xx ──▶ delivered
 *
 * `delivered` is final: a 2xx response is always recorded, even for a cancelled delivery.
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

export function statusesBefore(to: DeliveryStatus): readonly DeliveryStatus[] {
  return deliveryStatuses.filter((from) => canMove(from, to));
}

export const attemptOutcomes = ['accepted', 'rejected', 'no_response', 'blocked'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const skipReasons = ['forwarding_disabled', 'no_destination', 'destination_disabled'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** `conversation`: in order, one at a time. */
export const destinationOrderings = ['conversation', 'none'] as const;
export type DestinationOrdering = (typeof destinationOrderings)[number];

export const destinationTypes = ['webhook', 'subscription', 'listener'] as const;
export type DestinationType = (typeof destinationTypes)[number];
