import type { ChannelRecord } from '../../db/channels/records.ts';
import {
  abandonRotation,
  findRotatedToken,
  type NewRotation,
  type RotatedToken,
  type Rotation,
  stageRotation,
} from '../../db/channels/token-rotations.ts';
import { keyHash } from '../operation/request-hash.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, OutcomeUnknown, WorkflowUnavailable } from '../requests/errors.ts';

/** Longer than anybody waits for the workflow: what is later than this is not made any more. */
const ROTATION_DEADLINE_MS = 30_000;

export interface TokenRotation {
  readonly channel: ChannelRecord;
  /** Whose own token is rotated; null: the shared one. */
  readonly holderKeyId: number | null;
  readonly overlapSeconds: number;
  readonly idempotencyKey: string | null;
  readonly requestedBy: NewRotation['requestedBy'];
}

/**
 * Rotates a channel's token: stages the rotation, has the channel's workflow make it, and reads the new token from the
 * database. The row decides, whatever became of the call that waited: a rotation that was given up here can't be made
 * later, and a repeat by its idempotency key joins the one that is under way or gets what it made.
 */
export async function rotateChannelToken(deps: ApiDeps, request: TokenRotation): Promise<RotatedToken> {
  const { db, secretBox } = deps;
  const { channel } = request;
  const rotation = await staged(deps, request);
  const find = () => findRotatedToken(db, secretBox, { id: rotation.id, channelPublicId: channel.publicId });
  const failure = rotation.status === 'staged' ? await make(deps, channel, rotation) : undefined;
  const rotated = await find();
  if (rotated) return rotated;
  // Given up at this moment by another request with the same key.
  throw failure ?? unanswered();
}

async function staged({ db }: ApiDeps, request: TokenRotation): Promise<Rotation> {
  const { channel, holderKeyId, overlapSeconds, idempotencyKey, requestedBy } = request;
  if (!channel.connected) throw disconnected();
  const rotation = await stageRotation(db, {
    channelId: channel.id,
    holderKeyId,
    overlapSeconds,
    idempotencyKeyHash: idempotencyKey === null ? null : hashOf(idempotencyKey, holderKeyId),
    deadlineMs: ROTATION_DEADLINE_MS,
    requestedBy,
  });
  if (rotation.overlapSeconds === overlapSeconds) return rotation;
  throw new Conflict(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key came with another overlapSeconds before. Choose another.',
  );
}

/** The same key of another holder is another rotation: nobody is answered with a token of somebody else. */
function hashOf(idempotencyKey: string, holderKeyId: number | null): Buffer {
  const holder = holderKeyId === null ? '' : `${holderKeyId}\n`;
  return keyHash(`${holder}${idempotencyKey}`);
}

/** Has the rotation made; returns the refusal for one that was not, and never will be. */
async function make(
  { db, temporal, log }: ApiDeps,
  channel: ChannelRecord,
  rotation: Rotation,
): Promise<Error | undefined> {
  const started = await temporal.rotateToken({
    rotationId: rotation.id,
    channelId: channel.publicId,
    workspaceId: channel.workspacePublicId,
  });
  if (started.state === 'ended' && started.result === 'rotated') return undefined;
  if (started.state !== 'ended') {
    log.warn('tokenRotation.unanswered', {
      channelId: channel.publicId,
      rotationId: rotation.id,
      error: started.cause,
    });
  }
  if (!(await abandonRotation(db, rotation))) return undefined;
  if (started.state === 'not_started') return new WorkflowUnavailable();
  return started.state === 'ended' && started.result === 'disconnected' ? disconnected() : unanswered();
}

export const disconnected = (): Conflict =>
  new Conflict('CHANNEL_DISCONNECTED', 'The channel is disconnected and has no token. Connect it again first.');

const unanswered = (): OutcomeUnknown =>
  new OutcomeUnknown(
    'The rotation was not made in time and was given up: the token so far stays as it is. Read it with GET …/token, and rotate again.',
  );
