/**
 * The states of a replay and their transitions.
 *
 *   planning ──the plan is complete──▶ running ──everything is sent──▶ completed
 *   planning, running ──a person──▶ paused ──a person──▶ planning or running, as before
 *   planning, running, paused ──a person──▶ cancelled
 */
export const replayStatuses = ['planning', 'running', 'paused', 'completed', 'cancelled'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

export const endedReplayStatuses: readonly ReplayStatus[] = ['completed', 'cancelled'];

export const replayMoves = ['pause', 'resume', 'cancel'] as const;
export type ReplayMove = (typeof replayMoves)[number];

/** A count before the replay ends here. The plan has no limit. */
export const MAX_COUNTED_MATCHES = 100_000;
export const DEFAULT_REPLAY_RATE = 50;
export const MAX_REPLAY_RATE = 1_000;
/** Events per second to a host that has not passed a probe, across the installation. */
export const UNVERIFIED_REPLAY_RATE = 10;

export interface ReplayState {
  readonly status: ReplayStatus;
  readonly planned: number;
  readonly sent: number;
  /** True while every destination has an open circuit or pending deliveries of new events. */
  readonly isHeld: boolean;
}

export interface ReplayDeliveriesInput {
  readonly replayId: string;
  readonly heldMs: number;
}

export const HELD_REPLAY_MS = 15_000;

export interface ReplayStart {
  readonly replayId: string;
  /** `channel:…`, `workspace:…` or `organization:…`. */
  readonly scope: string;
  readonly workspaceId: string | null;
  readonly channelId: string | null;
  readonly destination: string | null;
  readonly ratePerSecond: number;
}
