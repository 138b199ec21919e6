/**
 * What retention removes, in this order: events before the rows they refer to. The names are stored in histories. Do not
 * remove one while a run may use it.
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
/** Unknown to runs that started before listeners existed. */
export const listenerTasks: readonly RetentionTask[] = ['unread_listeners', 'listeners'];
export type RetentionTask = (typeof retentionTasks)[number];

/** Set on continue-as-new; empty for a new run. */
export interface RetentionInput {
  readonly task?: RetentionTask;
  readonly position?: number;
  readonly removed?: RetentionResult;
}

/** Removed rows per task. Deliveries and attempts are removed with their event and not counted. */
export type RetentionResult = Readonly<Partial<Record<RetentionTask, number>>>;
