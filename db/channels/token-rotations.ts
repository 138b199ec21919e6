import type { Knex } from 'knex';
import { raw, ref } from 'objection';
import type { RotationResult } from '../../contract/channels/token.ts';
import { gatewayScopesOf, type Scope } from '../../contract/identity/scopes.ts';
import { contextOfRequester, recordAudit, type Requester, requesterColumns } from '../audit/record-audit.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ChannelTokenModel, ChannelTokenRotationModel, type RotationStatus } from '../models/channel-token.ts';
import { ChannelModel } from '../models/channel.ts';
import { type ChannelToken, endAfter, insertToken, lockConnected, type TokenHolder, type TokenKeys } from './tokens.ts';
import type { Columns, RowOf } from '../core/model.ts';

export type Rotation = Columns<ChannelTokenRotationModel, 'id' | 'status' | 'overlapSeconds'>;

export interface NewRotation {
  readonly channelId: number;
  /** Null for the shared token. */
  readonly holderKeyId: number | null;
  readonly overlapSeconds: number;
  readonly idempotencyKeyHash: Buffer | null;
  readonly deadlineMs: number;
  readonly requestedBy: Requester;
}

/** Stages a rotation, or returns the one with the same idempotency key and extends its deadline. */
export async function stageRotation(db: Knex, rotation: NewRotation): Promise<Rotation> {
  const { channelId, holderKeyId, overlapSeconds, idempotencyKeyHash, deadlineMs, requestedBy } = rotation;
  return await ChannelTokenRotationModel.query(db)
    .insert({
      channelId,
      overlapSeconds,
      idempotencyKeyHash,
      apiKeyId: holderKeyId,
      deadlineAt: raw(`clock_timestamp() + ? * interval '1 millisecond'`, [deadlineMs]),
      ...requesterColumns(requestedBy),
    })
    .onConflict(raw('(channel_id, idempotency_key_hash) where idempotency_key_hash is not null'))
    .merge({ deadlineAt: raw('greatest(channel_token_rotations.deadline_at, excluded.deadline_at)') })
    .returning(['id', 'status', 'overlap_seconds']);
}

/** Also frees the idempotency key. Returns false unless the rotation is staged. */
export async function abandonRotation(db: Knex, { id }: { readonly id: number }): Promise<boolean> {
  const count = await ChannelTokenRotationModel.query(db)
    .where({ id, status: 'staged' })
    .patch({ status: 'abandoned', idempotencyKeyHash: null });
  return count === 1;
}

export interface RotatedToken extends ChannelToken {
  readonly previousExpiresAt: Date | null;
}

export async function findRotatedToken(
  db: Knex,
  secretBox: SecretBox,
  { id, channelPublicId }: { readonly id: number; readonly channelPublicId: string },
): Promise<RotatedToken | undefined> {
  const rotated = await ChannelTokenRotationModel.query(db)
    .joinRelated('token')
    .select('token.id', 'token.token_encrypted', 'channel_token_rotations.previous_expires_at')
    .findOne({ 'channel_token_rotations.id': id })
    .castTo<{ id: number; tokenEncrypted: string; previousExpiresAt: Date | null } | undefined>();
  if (!rotated) return undefined;
  const token = secretBox.open(rotated.tokenEncrypted, sealedContexts.channelToken(channelPublicId));
  return { id: rotated.id, token, previousExpiresAt: rotated.previousExpiresAt };
}

export interface RotationOutcome {
  readonly result: RotationResult;
  readonly overlapMs: number | null;
}

/**
 * Before its deadline, ends an earlier overlap now and the current token after the new overlap, and creates a new
 * token. Idempotent. Returns undefined if the rotation does not exist.
 */
export async function makeRotation(
  db: Knex,
  keys: TokenKeys,
  { rotationId }: { readonly rotationId: number },
): Promise<RotationOutcome | undefined> {
  return await db.transaction(async (trx) => {
    const request = await findRequest(trx, rotationId);
    if (!request) return undefined;
    const { channelId, channelPublicId, overlapSeconds, apiKeyId } = request;
    // Token changes lock the channel first, so the rotation is read after the wait.
    const isConnected = await lockConnected(trx, channelId);
    const { status, isLate } = await lockRotation(trx, rotationId);
    if (status === 'rotated') return { result: 'rotated', overlapMs: await overlapLeftMs(trx, channelId) };
    if (status === 'abandoned' || isLate) return { result: 'given_up', overlapMs: null };
    if (!isConnected) return { result: 'disconnected', overlapMs: null };
    const previousExpiresAt = await endCurrentToken(trx, { channelId, holderKeyId: apiKeyId, overlapSeconds });
    const holder = holderOf(request);
    const { id: tokenId } = await insertToken(trx, keys, { channelId, channelPublicId, holder });
    await ChannelTokenRotationModel.query(trx)
      .findById(rotationId)
      .patch({ status: 'rotated', tokenId, previousExpiresAt });
    await auditRotation(trx, request);
    return { result: 'rotated', overlapMs: await overlapLeftMs(trx, channelId) };
  });
}

/**
 * Revokes tokens whose overlap is over. The mark is only a record: the gateway itself compares the end of the overlap.
 */
export async function endOverlap(db: Knex, { channelId }: { readonly channelId: string }): Promise<number | null> {
  const channel = await ChannelModel.query(db).select('id').findOne({ public_id: channelId });
  if (!channel) return null;
  await ChannelTokenModel.query(db)
    .where({ channel_id: channel.id })
    .whereNull('revoked_at')
    .where('expires_at', '<=', raw('clock_timestamp()'))
    .patch({ revokedAt: ref('expires_at') });
  return await overlapLeftMs(db, channel.id);
}

interface RotationRequest extends RowOf<ChannelTokenRotationModel> {
  readonly channelPublicId: string;
  readonly workspaceId: number;
  readonly organizationId: number;
  /** Of the key that holds the token. */
  readonly scopes: readonly Scope[] | null;
}

async function findRequest(trx: Knex, rotationId: number): Promise<RotationRequest | undefined> {
  return await ChannelTokenRotationModel.query(trx)
    .joinRelated('channel.workspace')
    .leftJoinRelated('apiKey')
    .select(
      'channel_token_rotations.*',
      'channel.public_id as channel_public_id',
      'channel:workspace.id as workspace_id',
    )
    .select('channel:workspace.organization_id', 'apiKey.scopes')
    .findOne({ 'channel_token_rotations.id': rotationId })
    .castTo<RotationRequest | undefined>();
}

async function lockRotation(
  trx: Knex,
  rotationId: number,
): Promise<{ readonly status: RotationStatus; readonly isLate: boolean }> {
  const rotation = await ChannelTokenRotationModel.query(trx)
    .select('status', raw('deadline_at <= clock_timestamp() as is_late'))
    .findById(rotationId)
    .forNoKeyUpdate()
    .castTo<{ readonly status: RotationStatus; readonly isLate: boolean } | undefined>();
  if (!rotation) throw new Error(`Rotation ${rotationId} does not exist`);
  return rotation;
}

function holderOf({ apiKeyId, scopes }: RotationRequest): TokenHolder | null {
  return apiKeyId === null ? null : { apiKeyId, scopes: gatewayScopesOf(scopes) };
}

interface TokenEnd {
  readonly channelId: number;
  readonly holderKeyId: number | null;
  readonly overlapSeconds: number;
}

async function endCurrentToken(trx: Knex, { channelId, holderKeyId, overlapSeconds }: TokenEnd): Promise<Date | null> {
  const tokens = () =>
    ChannelTokenModel.query(trx).where({ channel_id: channelId, api_key_id: holderKeyId }).whereNull('revoked_at');
  await tokens()
    .whereNotNull('expires_at')
    .patch({ revokedAt: raw('clock_timestamp()') });
  const [ended] = await tokens().whereNull('expires_at').patch(endAfter(overlapSeconds)).returning('expires_at');
  return overlapSeconds === 0 ? null : (ended?.expiresAt ?? null);
}

/** Returns at least 1 ms, or null if no token is in its overlap. */
async function overlapLeftMs(db: Knex, channelId: number): Promise<number | null> {
  const token = await ChannelTokenModel.query(db)
    .select(raw('ceil(extract(epoch from (expires_at - clock_timestamp())) * 1000)::float8 as left_ms'))
    .where({ channel_id: channelId })
    .whereNull('revoked_at')
    .whereNotNull('expires_at')
    .orderBy('expires_at')
    .first()
    .castTo<{ readonly leftMs: number } | undefined>();
  return token ? Math.max(token.leftMs, 1) : null;
}

async function auditRotation(trx: Knex, request: RotationRequest): Promise<void> {
  const { organizationId, workspaceId, channelPublicId: targetId, overlapSeconds } = request;
  const audit = { ...contextOfRequester(request), organizationId, workspaceId, targetId };
  await recordAudit(trx, { ...audit, action: 'channelToken.rotated', reason: `overlap of ${overlapSeconds} s` });
}
