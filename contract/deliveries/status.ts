/**
 * The states of a delivery and their transitions. `deliveryTransitions` is the only list: every statement of the ledger
 * takes its old and new states from it.
 *
 *   pending ──deliver──▶ delivered
 *           ──retry, postpone, pass──▶ retrying
 *           ──exhaust: no retry is left, waited or was unread for too long, rejected by a listener──▶ exhausted
 *           ──cancel──▶ cancelled
 *           ──skip──▶ skipped
 *           ──wait, reread──▶ stays pending
 *   retrying ──deliver | exhaust | cancel | skip──▶ as from pending
 *            ──retry, postpone, wait──▶ stays retrying
 *            ──return──▶ pending
 *   exhausted, cancelled, skipped ──restart──▶ pending;  ──deliver, late──▶ delivered
 *
 * `delivered` is final: a 2xx response is always recorded, even for a cancelled delivery.
 */
export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'exhausted', 'cancelled', 'skipped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const waitingStatuses = ['pending', 'retrying'] as const satisfies readonly DeliveryStatus[];

export interface DeliveryTransition {
  readonly from: readonly DeliveryStatus[];
  readonly to: DeliveryStatus | 'unchanged';
  readonly cause: string;
}

export const deliveryTransitions = {
  deliver: {
    from: ['pending', 'retrying', 'exhausted', 'cancelled', 'skipped'],
    to: 'delivered',
    cause: 'An attempt is accepted, however late.',
  },
  retry: { from: waitingStatuses, to: 'retrying', cause: 'A counted attempt fails and another is scheduled.' },
  wait: { from: waitingStatuses, to: 'unchanged', cause: 'An attempt fails that the circuit does not count.' },
  exhaust: {
    from: waitingStatuses,
    to: 'exhausted',
    cause: 'The last attempt fails, the delivery waits longer than its schedule, or no reader comes.',
  },
  cancel: {
    from: waitingStatuses,
    to: 'cancelled',
    cause: 'A user cancels it, or its destination or channel is removed.',
  },
  skip: { from: waitingStatuses, to: 'skipped', cause: 'Its destination or its channel is disabled.' },
  postpone: { from: waitingStatuses, to: 'retrying', cause: 'Its body cannot be decrypted.' },
  pass: { from: ['pending'], to: 'retrying', cause: 'A user retries it while it is held.' },
  return: {
    from: ['retrying'],
    to: 'pending',
    cause: 'A retry of the pump is due, or the workflow of a passed delivery cannot be signalled.',
  },
  restart: { from: ['exhausted', 'cancelled', 'skipped'], to: 'pending', cause: 'A user retries it after its end.' },
  reread: { from: ['pending'], to: 'unchanged', cause: 'A listener reports a failure and reads it again.' },
} as const satisfies Readonly<Record<string, DeliveryTransition>>;

export type TransitionName = keyof typeof deliveryTransitions;

const endedStatuses: ReadonlySet<string> = new Set(['delivered', 'exhausted', 'cancelled', 'skipped']);

/** An ended delivery has no next attempt and holds no conversation. */
export const endsDelivery = (transition: TransitionName): boolean =>
  endedStatuses.has(deliveryTransitions[transition].to);

export function statusAfter(from: DeliveryStatus, transition: TransitionName): DeliveryStatus | undefined {
  const { from: allowed, to }: DeliveryTransition = deliveryTransitions[transition];
  if (!allowed.includes(from)) return undefined;
  return to === 'unchanged' ? from : to;
}

export const attemptOutcomes = ['accepted', 'rejected', 'no_response', 'blocked'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const skipReasons = ['forwarding_disabled', 'no_destination', 'destination_disabled'] as const;
export type SkipReason = (typeof skipReasons)[number];

/**
 * `requested`: of this delivery. `url_changed`: an edit of the URL asked to cancel its pending deliveries. `channel_moved`: a listener
 * does not read deliveries of the channel's previous workspace.
 */
export const cancelReasons = [
  'requested',
  'channel_disconnected',
  'channel_moved',
  'destination_deleted',
  'url_changed',
  'event_erased',
] as const;
export type CancelReason = (typeof cancelReasons)[number];

/** `conversation`: in order, one at a time. */
export const destinationOrderings = ['conversation', 'none'] as const;
export type DestinationOrdering = (typeof destinationOrderings)[number];

export const destinationTypes = ['webhook', 'subscription', 'listener'] as const;
export type DestinationType = (typeof destinationTypes)[number];
