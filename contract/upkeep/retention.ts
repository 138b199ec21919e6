/** Runs in this order. The names are stored in histories. */
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

export interface RetentionInput {
  readonly task?: RetentionTask;
  readonly position?: number;
  readonly removed?: RetentionResult;
  /** Optional. Tasks that this run has given up. Default: none. */
  readonly failed?: readonly RetentionTask[];
}

export type RetentionResult = Readonly<Partial<Record<RetentionTask, number>>>;
