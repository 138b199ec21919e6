import { channelTokenWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/** What every channel token begins with. */
export const CHANNEL_TOKEN_PREFIX = 'hmat_';

/** How much of a secret is shown where it is only to be recognised. */
const SHOWN_FIRST = 14;
const SHOWN_LAST = 4;

/** The two ends of a secret, as lists and logs of people show it. */
export function shownEnds(secret: string): { readonly prefix: string; readonly suffix: string } {
  return { prefix: secret.slice(0, SHOWN_FIRST), suffix: secret.slice(-SHOWN_LAST) };
}

/** A week: long enough for a release that a receiver has to make, short enough for a secret that is given up. */
export const MAX_OVERLAP_SECONDS = 604_800;
export const DEFAULT_OVERLAP_SECONDS = 3_600;

/** Input of the workflow that rotates a channel's token. Tokens stay in the database. */
export interface RotateTokenInput {
  readonly channelId: string;
  /** Left of an overlap that an earlier run has begun; null where none is. */
  readonly overlapMs: number | null;
}

/** A rotation that was asked for, by its row. */
export interface RotationInput {
  readonly rotationId: number;
}

/** `given_up`: its time was over before it was made. `disconnected`: the channel has no tokens any more. */
export type RotationResult = 'rotated' | 'given_up' | 'disconnected';

/** A rotation, as far as the start of its workflow needs it. */
export interface StartedRotation extends RotationInput {
  readonly channelId: string;
  readonly workspaceId: string;
}

/** How the workflow of a channel's token is started: one that runs takes the rotation in. */
export function rotationWorkflowStart({ channelId, workspaceId }: StartedRotation) {
  const input: RotateTokenInput = { channelId, overlapMs: null };
  return {
    workflowType: 'rotateToken',
    workflowId: channelTokenWorkflowId(channelId),
    taskQueue: taskQueues.main,
    args: [input] as [RotateTokenInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `token of ${channelId}`,
    keywords: {
      [searchAttributes.workspace]: workspaceId,
      [searchAttributes.channel]: channelId,
    },
  } as const;
}
