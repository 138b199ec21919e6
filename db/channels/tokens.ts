import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { CHANNEL_TOKEN_PREFIX } from '../../contract/channels/token.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import type { GatewayScope } from '../../contract/identity/scopes.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import { hashKey } from '../core/key-hash.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';

const TOKEN_BYTES = 32;

/** What tokens are kept with. */
export interface TokenKeys {
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
}

/** A limited key, which has a token of its own in every channel. */
export interface TokenHolder {
  readonly apiKeyId: number;
  /** What its token is limited to. */
  readonly scopes: readonly GatewayScope[];
}

interface TokenOwner {
  readonly channelId: number;
  readonly channelPublicId: string;
  /** Null: the token that people and full keys share. */
  readonly holder: TokenHolder | null;
}

/** A token, and its row. */
export interface ChannelToken {
  readonly id: number;
  readonly token: string;
}

/** Returns the holder's current token, minted if there is none; undefined if the channel is disconnected. */
export async function ensureChannelToken(
  db: Knex,
  keys: TokenKeys,
  { audit, ...owner }: TokenOwner & { readonly audit: AuditContext },
): Promise<ChannelToken | undefined> {
  const known = await findCurrentToken(db, keys, owner);
  if (known) return known;
  return await db.transaction(async (trx) => {
    if (!(await lockConnected(trx, owner.channelId))) return undefined;
    // Whoever was here first has minted it while we waited.
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
  const { rows } = await db.raw<{ rows: { id: number; token_encrypted: string }[] }>(
    `select id, token_encrypted from channel_tokens
     where channel_id = ? and coalesce(api_key_id, 0) = ? and expires_at is null and revoked_at is null`,
    [channelId, holder?.apiKeyId ?? 0],
  );
  const [row] = rows;
  if (!row) return undefined;
  return { id: row.id, token: secretBox.open(row.token_encrypted, sealedContexts.channelToken(channelPublicId)) };
}

/** Locks a channel before its tokens change, as a disconnection does; false where it is disconnected. */
export async function lockConnected(trx: Knex, channelId: number): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { disconnected_at: Date | null }[] }>(
    'select disconnected_at from channels where id = ? for no key update',
    [channelId],
  );
  return rows[0]?.disconnected_at === null;
}

/** Makes the token that is current from now on; the one before must have been ended, which an index sees to. */
export async function insertToken(
  trx: Knex,
  { secretBox, tokenSalt }: TokenKeys,
  { channelId, channelPublicId, holder }: TokenOwner,
): Promise<ChannelToken> {
  const token = `${CHANNEL_TOKEN_PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const sealed = secretBox.seal(token, sealedContexts.channelToken(channelPublicId));
  const { rows } = await trx.raw<{ rows: { id: number }[] }>(
    `insert into channel_tokens (channel_id, token_hash, token_encrypted, api_key_id, scopes)
     values (?, ?, ?, ?, ?) returning id`,
    [channelId, hashKey(tokenSalt, token), sealed, holder?.apiKeyId ?? null, holder && [...holder.scopes]],
  );
  const [row] = rows;
  if (!row) throw new Error('An insert returned no row');
  return { id: row.id, token };
}

/**
 * Ends a current token without a successor when the overlap is over, and returns that end; null if it has ended. A token
 * that was ended before keeps its end.
 */
export async function endToken(
  trx: Knex,
  { id, overlapSeconds }: { readonly id: number; readonly overlapSeconds: number },
): Promise<Date | null> {
  await trx.raw(
    `update channel_tokens set
       expires_at = clock_timestamp() + :overlapSeconds * interval '1 second',
       revoked_at = case when :overlapSeconds = 0 then clock_timestamp() end
     where id = :id and expires_at is null and revoked_at is null`,
    { id, overlapSeconds },
  );
  const token = await trx<{ id: number; expires_at: Date; revoked_at: Date | null }>('channel_tokens')
    .where({ id })
    .whereNull('revoked_at')
    .first('expires_at');
  return token?.expires_at ?? null;
}

/** Ends all tokens of a channel at once, in the transaction that disconnects it. */
export async function revokeChannelTokens(trx: Knex, channelId: number): Promise<void> {
  await trx('channel_tokens')
    .where({ channel_id: channelId })
    .whereNull('revoked_at')
    .update({ revoked_at: trx.fn.now() });
}

/** What a channel token opens. */
export interface TokenChannel {
  readonly channelId: number;
  readonly channelPublicId: string;
  readonly type: ChannelType;
  /** Phone number id, account id or Page id. */
  readonly resourceId: string;
  readonly workspaceId: number;
  readonly workspacePublicId: string;
  /** A Page's photo account, whether or not that is a channel. */
  readonly linkedResourceId: string | null;
  /** The row of the token, which tells the tokens of a channel apart without showing one. */
  readonly tokenId: number;
  /** What the token is limited to; null: everything that the gateway passes on. */
  readonly scopes: readonly GatewayScope[] | null;
}
