import type { Knex } from 'knex';
import type { RotationResult } from '../../contract/channels/token.ts';
import { gatewayScopesOf, type Scope } from '../../contract/identity/scopes.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import { type ChannelToken, insertToken, lockConnected, type TokenHolder, type TokenKeys } from './tokens.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

/**
 * A rotation that was asked for. `staged` ends once, always by an update that asks for `staged`: rotated with its new
 * token by the workflow, or abandoned by whoever waited for it in vain, after which no worker can make it any more.
 */
export type RotationStatus = 'staged' | 'rotated' | 'abandoned';

export interface Rotation {
  readonly id: number;
  readonly status: RotationStatus;
  readonly overlapSeconds: number;
}

export interface NewRotation {
  readonly channelId: number;
  /** The limited key whose own token is rotated; null: the shared one. */
  readonly holderKeyId: number | null;
  readonly overlapSeconds: number;
  /** Null where the caller gives no key: each such request is a rotation of its own. */
  readonly idempotencyKeyHash: Buffer | null;
  /** Until when it may be made, by the database's clock. */
  readonly deadlineMs: number;
  readonly requestedBy: {
    readonly actor: AuditActor;
    readonly requestId?: string | null;
    readonly clientAddress?: string | null;
  };
}

interface RotationRow {
  id: number;
  status: RotationStatus;
  overlap_seconds: number;
}

/**
 * Stages a rotation, or finds the one that came with the same idempotency key; one that still waits gets new time.
 * A key that was abandoned is free again.
 */
export async function stageRotation(db: Knex, rotation: NewRotation): Promise<Rotation> {
  const { requestedBy: by } = rotation;
  const { rows } = await db.raw<{ rows: RotationRow[] }>(
    `insert into channel_token_rotations as r (channel_id, overlap_seconds, idempotency_key_hash, deadline_at,
       requested_by_type, requested_by, request_id, client_address, api_key_id)
     values (?, ?, ?, clock_timestamp() + ? * interval '1 millisecond', ?, ?, ?, ?, ?)
     on conflict (channel_id, idempotency_key_hash) where idempotency_key_hash is not null
       do update set deadline_at = greatest(r.deadline_at, excluded.deadline_at)
     returning r.id, r.status, r.overlap_seconds`,
    [
      rotation.channelId,
      rotation.overlapSeconds,
      rotation.idempotencyKeyHash,
      rotation.deadlineMs,
      by.actor.type,
      by.actor.id,
      by.requestId ?? null,
      by.clientAddress ?? null,
      rotation.holderKeyId,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('An insert returned no row');
  return { id: row.id, status: row.status, overlapSeconds: row.overlap_seconds };
}

/** Gives up a rotation that was not made, and frees its idempotency key; says whether it was still staged. */
export async function abandonRotation(db: Knex, { id }: { readonly id: number }): Promise<boolean> {
  const count = await db('channel_token_rotations')
    .where({ id, status: 'staged' })
    .update({ status: 'abandoned', idempotency_key_hash: null });
  return count === 1;
}

/** What came of a rotation that was made. */
export interface RotatedToken extends ChannelToken {
  /** The end of the overlap; null where there was none, or no token before. */
  readonly previousExpiresAt: Date | null;
}

/** The token that a rotation has made; undefined for one that was not made. */
export async function findRotatedToken(
  db: Knex,
  secretBox: SecretBox,
  { id, channelPublicId }: { readonly id: number; readonly channelPublicId: string },
): Promise<RotatedToken | undefined> {
  const { rows } = await db.raw<{ rows: { id: number; token_encrypted: string; previous_expires_at: Date | null }[] }>(
    `select t.id, t.token_encrypted, r.previous_expires_at
     from channel_token_rotations r join channel_tokens t on t.id = r.token_id where r.id = ?`,
    [id],
  );
  const [row] = rows;
  if (!row) return undefined;
  const token = secretBox.open(row.token_encrypted, sealedContexts.channelToken(channelPublicId));
  return { id: row.id, token, previousExpiresAt: row.previous_expires_at };
}

/** How a rotation stands once a workflow has seen to it, with what is left of the overlap that it began. */
export interface RotationStanding {
  readonly result: RotationResult;
  readonly overlapMs: number | null;
}

/**
 * Makes a staged rotation: the current token gets the overlap as its end, an older overlap ends at once, and a new token
 * is minted. Only while it is staged, in time and connected; a repeat says what came of it and changes nothing.
 * Undefined for a rotation that there is not.
 */
export async function makeRotation(
  db: Knex,
  keys: TokenKeys,
  { rotationId }: { readonly rotationId: number },
): Promise<RotationStanding | undefined> {
  return await db.transaction(async (trx) => {
    const request = await findRequest(trx, rotationId);
    if (!request) return undefined;
    // The channel first, as everybody does who changes its tokens; then the row as it is after the wait.
    const isConnected = await lockConnected(trx, request.channel_id);
    const { status, is_late } = await lockRotation(trx, rotationId);
    const { channel_id: channelId, channel_public_id: channelPublicId } = request;
    if (status === 'rotated') return { result: 'rotated', overlapMs: await overlapLeftMs(trx, channelId) };
    if (status === 'abandoned' || is_late) return { result: 'given_up', overlapMs: null };
    if (!isConnected) return { result: 'disconnected', overlapMs: null };
    const overlapSeconds = request.overlap_seconds;
    const previousExpiresAt = await endCurrentToken(trx, {
      channelId,
      holderKeyId: request.api_key_id,
      overlapSeconds,
    });
    const holder = holderOf(request);
    const { id: tokenId } = await insertToken(trx, keys, { channelId, channelPublicId, holder });
    await trx('channel_token_rotations')
      .where({ id: rotationId })
      .update({ status: 'rotated', token_id: tokenId, previous_expires_at: previousExpiresAt });
    await auditRotation(trx, request);
    return { result: 'rotated', overlapMs: await overlapLeftMs(trx, channelId) };
  });
}

/**
 * Marks the tokens of a channel as revoked whose overlap is over, and says what is left of one that is not. They have
 * been refused since the overlap's end: this is for the record.
 */
export async function endOverlap(db: Knex, { channelId }: { readonly channelId: string }): Promise<number | null> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `update channel_tokens t set revoked_at = t.expires_at from channels c
     where c.public_id = ? and t.channel_id = c.id and t.revoked_at is null and t.expires_at <= clock_timestamp()
     returning c.id`,
    [channelId],
  );
  const id = rows[0]?.id ?? (await db('channels').where({ public_id: channelId }).first('id'))?.id;
  return id === undefined ? null : await overlapLeftMs(db, id);
}

interface RotationRequest {
  channel_id: number;
  channel_public_id: string;
  overlap_seconds: number;
  workspace_id: number;
  organization_id: number;
  requested_by_type: AuditActor['type'];
  requested_by: string;
  request_id: string | null;
  client_address: string | null;
  api_key_id: number | null;
  scopes: Scope[] | null;
}

async function findRequest(trx: Knex, rotationId: number): Promise<RotationRequest | undefined> {
  const { rows } = await trx.raw<{ rows: RotationRequest[] }>(
    `select r.channel_id, c.public_id as channel_public_id, r.overlap_seconds, w.id as workspace_id, w.organization_id,
       r.requested_by_type, r.requested_by, r.request_id, r.client_address, r.api_key_id, k.scopes
     from channel_token_rotations r join channels c on c.id = r.channel_id join workspaces w on w.id = c.workspace_id
     left join api_keys k on k.id = r.api_key_id
     where r.id = ?`,
    [rotationId],
  );
  return rows[0];
}

async function lockRotation(trx: Knex, rotationId: number): Promise<{ status: RotationStatus; is_late: boolean }> {
  const { rows } = await trx.raw<{ rows: { status: RotationStatus; is_late: boolean }[] }>(
    `select status, deadline_at <= clock_timestamp() as is_late from channel_token_rotations
     where id = ? for no key update`,
    [rotationId],
  );
  const [row] = rows;
  if (!row) throw new Error(`Rotation ${rotationId} is gone`);
  return row;
}

function holderOf({ api_key_id: apiKeyId, scopes }: RotationRequest): TokenHolder | null {
  return apiKeyId === null ? null : { apiKeyId, scopes: gatewayScopesOf(scopes ?? []) };
}

interface TokenEnd {
  readonly channelId: number;
  /** The limited key whose own token ends; null: the shared one. */
  readonly holderKeyId: number | null;
  readonly overlapSeconds: number;
}

/** Ends an older overlap now and the holder's current token when the new overlap is over; returns that end. */
async function endCurrentToken(trx: Knex, end: TokenEnd): Promise<Date | null> {
  const { channelId, holderKeyId, overlapSeconds } = end;
  await trx('channel_tokens')
    .where({ channel_id: channelId, api_key_id: holderKeyId })
    .whereNull('revoked_at')
    .whereNotNull('expires_at')
    .update({ revoked_at: trx.raw('clock_timestamp()') });
  const { rows } = await trx.raw<{ rows: { expires_at: Date }[] }>(
    `update channel_tokens set
       expires_at = clock_timestamp() + :seconds * interval '1 second',
       revoked_at = case when :seconds = 0 then clock_timestamp() end
     where channel_id = :channelId and coalesce(api_key_id, 0) = :holder and revoked_at is null and expires_at is null
     returning expires_at`,
    { seconds: overlapSeconds, channelId, holder: holderKeyId ?? 0 },
  );
  return overlapSeconds === 0 ? null : (rows[0]?.expires_at ?? null);
}

/** What is left of the overlap, by the database's clock, so that no other clock decides; null where none is. */
async function overlapLeftMs(db: Knex, channelId: number): Promise<number | null> {
  const { rows } = await db.raw<{ rows: { left_ms: number }[] }>(
    `select ceil(extract(epoch from (expires_at - clock_timestamp())) * 1000)::float8 as left_ms from channel_tokens
     where channel_id = ? and revoked_at is null and expires_at is not null order by expires_at limit 1`,
    [channelId],
  );
  return rows[0] ? Math.max(rows[0].left_ms, 1) : null;
}

async function auditRotation(trx: Knex, request: RotationRequest): Promise<void> {
  await recordAudit(trx, {
    organizationId: request.organization_id,
    workspaceId: request.workspace_id,
    actor: { type: request.requested_by_type, id: request.requested_by },
    action: 'channelToken.rotated',
    targetId: request.channel_public_id,
    reason: `overlap of ${request.overlap_seconds} s`,
    requestId: request.request_id,
    clientAddress: request.client_address,
  });
}
