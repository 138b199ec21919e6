/**
 * What retention removes, in this order: events before what they refer to. The names are stored in histories: they may be
 * added to, and none is ever taken away while a run may be at it.
 */
export const retentionTasks = [
  'events',
  'event_keys',
  'replay_items',
  'replays',
  'test_events',
  'destinations',
  'unrouted_events',
  'webhook_candidates',
  'email_registrations',
  'sessions',
  'onboarding_attempts',
  'idempotent_calls',
  'outbound_calls',
  'invariant_runs',
  'unread_listeners',
  'listeners',
] as const;
/** Tasks that runs which began before there were listeners know nothing of. */
export const listenerTasks: readonly RetentionTask[] = ['unread_listeners', 'listeners'];
export type RetentionTask = (typeof retentionTasks)[number];

/** Where a run of retention goes on; nothing at its beginning. */
export interface RetentionInput {
  readonly task?: RetentionTask;
  readonly position?: number;
  readonly removed?: RetentionResult;
}

/** Rows removed, by task; deliveries and attempts go with their event and are not counted. */
export type RetentionResult = Readonly<Partial<Record<RetentionTask, number>>>;
