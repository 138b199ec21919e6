import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import { CHANNEL_TOKEN_PREFIX } from '../../contract/channels/token.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import type { GatewayScope } from '../../contract/identity/scopes.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { hashKey } from '../core/opaque-tokens.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { ChannelTokenModel } from '../models/channel-token.ts';
import { ChannelModel } from '../models/channel.ts';

const TOKEN_BYTES = 32;

export interface TokenKeys {
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
}

export interface TokenHolder {
  readonly apiKeyId: number;
  readonly scopes: readonly GatewayScope[];
}

interface TokenOwner {
  readonly channelId: number;
  readonly channelPublicId: string;
  /** Null for the token that people and keys without limits share. */
  readonly holder: TokenHolder | null;
}

export interface ChannelToken {
  readonly id: number;
  readonly token: string;
}

/** Returns undefined if the channel is disconnected. */
export async function ensureChannelToken(
  db: Knex,
  keys: TokenKeys,
  { audit, ...owner }: TokenOwner & { readonly audit: AuditContext },
): Promise<ChannelToken | undefined> {
  const known = await findCurrentToken(db, keys, owner);
  if (known) return known;
  return await db.transaction(async (trx) => {
    if (!(await lockConnected(trx, owner.channelId))) return undefined;
    const current = await findCurrentToken(trx, keys, owner);
    if (current) return current;
    const minted = await insertToken(trx, keys, owner);
    await recordAudit(trx, { ...audit, action: 'channelToken.minted', targetId: owner.channelPublicId });
    return minted;
  });
}

async function findCurrentToken(
  db: Knex,
  { secretBox }: TokenKeys,
  { channelId, channelPublicId, holder }: TokenOwner,
): Promise<ChannelToken | undefined> {
  const current = await ChannelTokenModel.query(db)
    .select('id', 'token_encrypted')
    .findOne({ channel_id: channelId })
    // Must match the unique index on current tokens.
    .where(raw('coalesce(api_key_id, 0)'), holder?.apiKeyId ?? 0)
    .whereNull('expires_at')
    .whereNull('revoked_at');
  if (!current) return undefined;
  const token = secretBox.open(current.tokenEncrypted, sealedContexts.channelToken(channelPublicId));
  return { id: current.id, token };
}

/** Call before tokens change. Returns false if the channel is disconnected. */
export async function lockConnected(trx: Knex, channelId: number): Promise<boolean> {
  const channel = await ChannelModel.query(trx).select('disconnected_at').findById(channelId).forNoKeyUpdate();
  return channel?.disconnectedAt === null;
}

/** A unique index requires that the previous token has ended. */
export async function insertToken(
  trx: Knex,
  { secretBox, tokenSalt }: TokenKeys,
  { channelId, channelPublicId, holder }: TokenOwner,
): Promise<ChannelToken> {
  const token = `${CHANNEL_TOKEN_PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const { id } = await ChannelTokenModel.query(trx).insert({
    channelId,
    tokenHash: hashKey(tokenSalt, token),
    tokenEncrypted: secretBox.seal(token, sealedContexts.channelToken(channelPublicId)),
    apiKeyId: holder?.apiKeyId ?? null,
    scopes: holder && [...holder.scopes],
  });
  return { id, token };
}

/** Keeps an earlier end. Returns null if the token is revoked. */
export async function endToken(
  trx: Knex,
  { id, overlapSeconds }: { readonly id: number; readonly overlapSeconds: number },
): Promise<Date | null> {
  await ChannelTokenModel.query(trx)
    .findById(id)
    .whereNull('expires_at')
    .whereNull('revoked_at')
    .patch(endAfter(overlapSeconds));
  const token = await ChannelTokenModel.query(trx).select('expires_at').findById(id).whereNull('revoked_at');
  return token?.expiresAt ?? null;
}

export function endAfter(overlapSeconds: number) {
  return {
    expiresAt: raw(`clock_timestamp() + ? * interval '1 second'`, [overlapSeconds]),
    revokedAt: overlapSeconds === 0 ? raw('clock_timestamp()') : null,
  };
}

/** Must run in the transaction that disconnects the channel. */
export async function revokeChannelTokens(trx: Knex, channelId: number): Promise<void> {
  await ChannelTokenModel.query(trx)
    .where({ channel_id: channelId })
    .whereNull('revoked_at')
    .patch({ revokedAt: raw('now()') });
}

/**
 * Whether the key `a` can still hold a token of the channel `c` in the workspace `w`. An agent's key needs the role of its
 * person that reading the token needs.
 */
export const keyGrantsSql = `(a.revoked_at is null and (a.expires_at is null or a.expires_at > clock_timestamp())
  and (a.workspace_ids is null or c.workspace_id = any(a.workspace_ids))
  and (a.scopes is null or a.owned_by_organization or exists (select from organization_members m
    where m.organization_id = w.organization_id and m.user_id = a.user_id and (m.role = 'admin'
      or exists (select from workspace_members wm where wm.workspace_id = w.id and wm.user_id = a.user_id
        and wm.role in ('developer', 'admin'))))))`;

export interface TokenChannel {
  readonly channelId: number;
  readonly channelPublicId: string;
  readonly type: ChannelType;
  readonly resourceId: string;
  readonly workspaceId: number;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  readonly linkedResourceId: string | null;
  readonly tokenId: number;
  /** Null if unlimited. */
  readonly scopes: readonly GatewayScope[] | null;
}
