import type { ChannelRecord } from '../../db/channels/records.ts';
import {
  abandonRotation,
  findRotatedToken,
  type NewRotation,
  type RotatedToken,
  type Rotation,
  stageRotation,
} from '../../db/channels/token-rotations.ts';
import { keyHash } from '../routing/request-hash.ts';
import { runStaged } from '../routing/run-staged.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Conflict, KeyReused, OutcomeUnknown } from '../requests/errors.ts';

/** The workflow ignores the rotation after this. Longer than any request waits. */
const ROTATION_DEADLINE_MS = 30_000;

export interface TokenRotation {
  readonly channel: ChannelRecord;
  /** Null for the channel's shared token. */
  readonly holderKeyId: number | null;
  readonly overlapSeconds: number;
  readonly idempotencyKey: string | null;
  readonly requestedBy: NewRotation['requestedBy'];
}

/**
 * Stages a rotation, which the channel's workflow completes. An abandoned rotation can't be completed later. A repeat with the
 * same Idempotency-Key joins the rotation.
 */
export async function rotateChannelToken(deps: ApiDeps, request: TokenRotation): Promise<RotatedToken> {
  const { db, secretBox, starts, log } = deps;
  const { publicId: channelId, workspacePublicId: workspaceId } = request.channel;
  const rotation = await staged(deps, request);
  const rotationId = rotation.id;
  const find = () => findRotatedToken(db, secretBox, { id: rotationId, channelPublicId: channelId });
  if (rotation.status !== 'staged') {
    const rotated = await find();
    if (rotated) return rotated;
    // Another request with the same key has abandoned it.
    throw unanswered();
  }
  return await runStaged({
    run: () => starts.rotateToken({ rotationId, channelId, workspaceId }),
    logUnanswered: ({ cause: error }) => log.warn('tokenRotation.unanswered', { channelId, rotationId, error }),
    giveUp: () => abandonRotation(db, rotation),
    decide: async (started) => {
      const isRefused = started.state === 'ended' && started.result !== 'rotated';
      const isClosed = isRefused && (await abandonRotation(db, rotation));
      if (isClosed && started.result === 'disconnected') throw disconnected();
      return await find();
    },
    unknown: unanswered,
  });
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
  throw new KeyReused('overlapSeconds');
}

/** A repeat must not return another holder's token. */
function hashOf(idempotencyKey: string, holderKeyId: number | null): Buffer {
  const holder = holderKeyId === null ? '' : `${holderKeyId}\n`;
  return keyHash(`${holder}${idempotencyKey}`);
}

export const disconnected = (): Conflict =>
  new Conflict('CHANNEL_DISCONNECTED', 'The channel is disconnected and has no token. Connect it again first.');

const unanswered = (): OutcomeUnknown =>
  new OutcomeUnknown(
    'The rotation did not complete in time and was abandoned. The current token stays valid. Read it with GET …/token, then rotate it again.',
  );
