/**
 * What must hold of the ledger whatever happens, and how it reads when it does not. The names are stored with results
 * and are those of metrics: they may be added to, never changed.
 */
export const invariantRules = {
  event_without_delivery: 'An accepted event has no delivery, not even a skipped one.',
  destination_without_delivery: 'A destination that was live when an event was accepted has no delivery of it.',
  event_sent_twice: 'An event has two deliveries to one destination, and nobody has replayed it.',
  delivery_without_event: 'A delivery has lost its event.',
  delivered_without_acceptance: 'A delivery counts as delivered, and no attempt of it was accepted.',
  exhausted_early: 'A delivery counts as exhausted before its schedule had run out.',
  skipped_without_reason: 'A delivery was skipped, and nothing says why.',
  waiting_for_nobody: 'A delivery has waited for an hour for a destination that takes nothing any more.',
  retrying_overdue: 'An attempt of the retry schedule is overdue by more than an hour.',
  hold_without_head: 'A conversation is held back by a delivery that has ended or is gone.',
  circuit_overdue: 'The probe of an open circuit is overdue by more than an hour.',
  replay_overdue: 'Nobody has been at work on a replay for an hour.',
  container_overdue: 'A media container still moves an hour after it expired.',
} as const satisfies Record<string, string>;

export type InvariantRule = keyof typeof invariantRules;

export interface InvariantsResult {
  readonly violationCount: number;
  readonly eventCount: number;
  readonly deliveryCount: number;
}
