import { timingSafeEqual } from 'node:crypto';
import type { ChannelType } from '../../contract/event-types.ts';
import type { GatewayScope, Scope } from '../../contract/identity/scopes.ts';
import { keyGrantsSql, type TokenChannel } from './tokens.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { hashKey } from '../core/opaque-tokens.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { ChannelAccount } from './account.ts';

export interface OpenedToken {
  readonly channel: TokenChannel;
  readonly account: ChannelAccount;
  /** Those of the key that holds the token. Null for any address. */
  readonly allowedCidrs: readonly string[] | null;
}

/** Returns `disconnected` if the token was valid until its channel was disconnected. */
export type OpenToken = (token: string) => Promise<OpenedToken | 'disconnected' | undefined>;

interface TokenRow {
  token_id: number;
  token_hash: Buffer;
  is_disconnected: boolean;
  channel_id: number;
  channel_public_id: string;
  type: ChannelType;
  resource_id: string;
  workspace_id: number;
  workspace_public_id: string;
  organization_id: number;
  linked_resource_id: string | null;
  credential_public_id: string;
  token_encrypted: string;
  refused_reason: string | null;
  scopes: GatewayScope[] | null;
  key_scopes: Scope[] | null;
  allowed_cidrs: string[] | null;
}

interface OpenTokenNeeds {
  readonly pool: HotPool;
  readonly secretBox: SecretBox;
  readonly tokenSalt: Uint8Array;
}

/** Uses one prepared statement without a cache, because every gateway call opens a token. */
export function createOpenToken({ pool, secretBox, tokenSalt }: OpenTokenNeeds): OpenToken {
  return async (token) => {
    const hash = hashKey(tokenSalt, token);
    const { rows } = await pool.query<TokenRow>({ name: 'open-channel-token', text: openTokenSql, values: [hash] });
    const [row] = rows;
    if (!row || !timingSafeEqual(row.token_hash, hash)) return undefined;
    if (row.is_disconnected) return 'disconnected';
    const context = sealedContexts.credentialToken(row.credential_public_id);
    return {
      channel: channelOf(row),
      account: {
        resourceId: row.resource_id,
        token: secretBox.open(row.token_encrypted, context),
        refusedReason: row.refused_reason,
      },
      allowedCidrs: row.allowed_cidrs,
    };
  };
}

function channelOf(row: TokenRow): TokenChannel {
  return {
    channelId: row.channel_id,
    channelPublicId: row.channel_public_id,
    type: row.type,
    resourceId: row.resource_id,
    workspaceId: row.workspace_id,
    workspacePublicId: row.workspace_public_id,
    organizationId: row.organization_id,
    linkedResourceId: row.linked_resource_id,
    tokenId: row.token_id,
    scopes: scopesOf(row),
  };
}

function scopesOf({ scopes, key_scopes: held }: TokenRow): readonly GatewayScope[] | null {
  return scopes && held ? scopes.filter((scope) => held.includes(scope)) : scopes;
}

/**
 * Also finds tokens of disconnected channels, so that the response can name the reason. A key's own token has the rights
 * that the key has now: a copy made when the token was minted would miss a concurrent change of the key.
 */
const openTokenSql = `
select t.id as token_id, t.token_hash, t.scopes, a.scopes as key_scopes, a.allowed_cidrs,
  c.disconnected_at is not null as is_disconnected, c.id as channel_id,
  c.public_id as channel_public_id, c.type, c.resource_id, w.id as workspace_id, w.public_id as workspace_public_id,
  w.organization_id,
  case when c.type = 'pageapp' then c.linked_resource_id end as linked_resource_id, k.public_id as credential_public_id, k.token_encrypted,
  k.refused_reason
from channel_tokens t
join channels c on c.id = t.channel_id
join connection_credentials k on k.id = c.credential_id
join workspaces w on w.id = c.workspace_id and w.deleted_at is null
left join api_keys a on a.id = t.api_key_id
where t.token_hash = $1 and (a.id is null or ${keyGrantsSql}) and case when c.disconnected_at is null
  then t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp())
  else t.revoked_at >= c.disconnected_at and (t.expires_at is null or t.expires_at > c.disconnected_at) end`;
