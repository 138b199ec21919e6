/** Runs in this order: rows that others refer to are later. The names are stored in histories. */
export const retentionTasks = [
  'events',
  'event_keys',
  'replay_items',
  'replays',
  'test_events',
  'destinations',
  'unrouted_events',
  'webhook_candidates',
  'webhook_rollouts',
  'default_webhooks',
  'email_registrations',
  'sessions',
  'onboarding_attempts',
  'notifications',
  'portal_links',
  'idempotent_calls',
  'outbound_calls',
  'scheduled',
  'erasures',
  'alerts',
  'alert_digests',
  'audit_entries',
  'usage_days',
  'invariant_runs',
  'unread_listeners',
  'listeners',
] as const;
export type RetentionTask = (typeof retentionTasks)[number];

export interface RetentionInput {
  readonly task?: RetentionTask;
  readonly position?: number;
  readonly removed?: RetentionResult;
  /** Optional. Tasks that this run has given up. Default: none. */
  readonly failed?: readonly RetentionTask[];
}

export type RetentionResult = Readonly<Partial<Record<RetentionTask, number>>>;
