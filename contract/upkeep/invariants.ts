/** The names are stored and used by metrics. */
export const invariantRules = {
  event_without_delivery: 'An accepted event has no delivery, not even a skipped one.',
  destination_without_delivery: 'A destination that was enabled when an event was accepted has no delivery of it.',
  event_sent_twice: 'An event has two deliveries to one destination without a replay.',
  delivery_without_event: 'A delivery has no event.',
  delivered_without_acceptance: 'A delivery is delivered without an accepted attempt.',
  exhausted_early: 'A delivery is exhausted before the end of its schedule.',
  skipped_without_reason: 'A delivery is skipped without a reason.',
  waiting_for_nobody: 'A delivery has been pending for an hour for a destination that no longer receives deliveries.',
  retrying_overdue: 'An attempt of the retry schedule is overdue by more than an hour.',
  hold_without_head: 'A conversation is held by a delivery that has ended or no longer exists.',
  circuit_overdue: 'The probe of an open circuit is overdue by more than an hour.',
  replay_overdue: 'A replay has made no progress for an hour.',
  container_overdue: 'A media container is not final an hour after it expired.',
} as const satisfies Record<string, string>;

export type InvariantRule = keyof typeof invariantRules;

export interface InvariantsResult {
  readonly violationCount: number;
  readonly eventCount: number;
  readonly deliveryCount: number;
}
