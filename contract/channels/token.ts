export const CHANNEL_TOKEN_PREFIX = 'hmat_';

const SHOWN_FIRST = 14;
const SHOWN_LAST = 4;

export function shownEnds(secret: string): { readonly prefix: string; readonly suffix: string } {
  return { prefix: secret.slice(0, SHOWN_FIRST), suffix: secret.slice(-SHOWN_LAST) };
}

/** Leaves time for a release, but limits a leaked secret. */
export const MAX_OVERLAP_SECONDS = 604_800;
export const DEFAULT_OVERLAP_SECONDS = 3_600;

export interface RotateTokenInput {
  readonly channelId: string;
  readonly overlapMs: number | null;
}

export interface RotationInput {
  readonly rotationId: number;
}

/** `given_up`: the deadline passed. `disconnected`: the channel has no tokens. */
export type RotationResult = 'rotated' | 'given_up' | 'disconnected';

export interface StartedRotation extends RotationInput {
  readonly channelId: string;
  readonly workspaceId: string;
}
