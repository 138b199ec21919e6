/**
 * A default webhook and its rollouts.
 *
 * `staged` ends once: `current` after both probes passed, `failed` or `blocked` by a probe, `overtaken` by a later save
 * or clear, `abandoned` after its deadline. `current` becomes `replaced` by the next save or clear.
 */
export const defaultWebhookStatuses = [
  'staged',
  'current',
  'replaced',
  'failed',
  'blocked',
  'overtaken',
  'abandoned',
] as const;
export type DefaultWebhookStatus = (typeof defaultWebhookStatuses)[number];

/** `running` ends once. */
export const rolloutStatuses = ['running', 'completed', 'cancelled'] as const;
export type RolloutStatus = (typeof rolloutStatuses)[number];

export const rolloutOutcomes = ['applied', 'unchanged', 'skipped', 'failed'] as const;
export type RolloutOutcome = (typeof rolloutOutcomes)[number];

export const rolloutReasons = [
  /** Skipped. */
  'own_webhook',
  'workspace_default',
  'webhook_changed',
  'default_changed',
  'channel_disconnected',
  'channel_moved',
  /** Failed. */
  'verification_failed',
  'url_not_allowed',
  'save_unanswered',
] as const;
export type RolloutReason = (typeof rolloutReasons)[number];

/** `requested`: a person applied the default to all channels. `connected`: a new channel gets it. */
export const rolloutTriggers = ['requested', 'connected'] as const;

/** Waits before the rollouts that follow a failed one of a new channel, whose receiver may be down for a while. */
export const rolloutRetryWaitsMs: readonly number[] = [1, 5, 30, 120, 480].map((minutes) => minutes * 60_000);

/** Channels that one page of a rollout saves at most. */
export const ROLLOUT_PAGE_SAVES = 20;
/** Saves under way at a time, because a receiver gets the probes of all of them. */
export const ROLLOUT_CONCURRENCY = 4;

export interface RollOutWebhookInput {
  readonly rolloutId: string;
  /** Optional. The number of the last channel that has a result. Default: from the first channel. */
  readonly after?: number;
}

export interface RolloutPage {
  /** Numbers of the channels to save. */
  readonly channels: readonly number[];
  /** The last channel that was looked at. */
  readonly last: number;
  /** Whether no channel follows or the rollout has ended. */
  readonly isDone: boolean;
}

/** A candidate that was staged for a channel. */
export interface StagedSave {
  readonly candidateId: number;
  readonly channelId: string;
  readonly workspaceId: string;
}

export interface RolloutStart {
  readonly rolloutId: string;
  readonly workspaceId: string | null;
}

export interface DefaultWebhookStart {
  /** The organization or the workspace. */
  readonly ownerId: string;
  readonly workspaceId: string | null;
  readonly defaultWebhookId: number;
}
