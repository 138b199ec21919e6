/**
 * An erasure works in steps. Each empties what the step names; the row remembers the position, so that a killed worker
 * loses nothing. Attempts that were under way when their event was erased end within a minute; the step `answers` waits
 * for them.
 */
export const erasureSteps = [
  'events',
  'scheduled_messages',
  'scheduled_posts',
  'answers',
  'outbound_calls',
  'idempotent_calls',
  'containers',
  'test_events',
  'webhook_candidates',
  'default_webhooks',
  'unrouted_events',
  'channels',
  'workspaces',
] as const;
export type ErasureStep = (typeof erasureSteps)[number];

export const erasureKinds = ['event', 'sender', 'workspace'] as const;
export type ErasureKind = (typeof erasureKinds)[number];

export const erasureStatuses = ['erasing', 'completed'] as const;
export type ErasureStatus = (typeof erasureStatuses)[number];

export const erasureCounts = [
  'events',
  'deliveries',
  'cancelled',
  'attempts',
  'replayItems',
  'outboundCalls',
  'idempotentCalls',
  'scheduledMessages',
  'scheduledPosts',
  'containers',
  'testEvents',
  'probes',
  'unroutedEvents',
  'channels',
  'workspaces',
] as const;
export type ErasureCounts = Readonly<Partial<Record<(typeof erasureCounts)[number], number>>>;

/** Longer than an attempt and its settlement. */
export const LATE_ATTEMPTS_MS = 60_000;

export interface ErasureState {
  readonly status: ErasureStatus;
  readonly step: ErasureStep;
  /** True while the next step waits. */
  readonly isHeld: boolean;
  readonly events: number;
}

export interface EraseDataInput {
  readonly erasureId: string;
  readonly heldMs: number;
}

export const HELD_ERASURE_MS = 5_000;
