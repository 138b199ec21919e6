export const CHANNEL_TOKEN_PREFIX = 'hmat_';

const PREFIX_LENGTH = 14;
const SUFFIX_LENGTH = 4;

export function secretEnds(secret: string): { readonly prefix: string; readonly suffix: string } {
  return { prefix: secret.slice(0, PREFIX_LENGTH), suffix: secret.slice(-SUFFIX_LENGTH) };
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
