import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { keyGrantsSql } from '../channels/tokens.ts';
import type { SecretKind } from '../../contract/identity/secret-kinds.ts';

/** The readers: one key, or a person in an organization with all their keys and agents. */
export type Readers = { readonly apiKeyId: number } | { readonly organizationId: number; readonly userId: number };

export interface RevealRecord {
  readonly id: number;
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly displayName: string;
  readonly kind: SecretKind;
  /** `usr_…`, `key_…` or `ac_…`. */
  readonly readerId: string;
  readonly firstRevealedAt: Date;
  readonly lastRevealedAt: Date;
  readonly count: number;
  readonly isCurrent: boolean;
  readonly endsAt: Date | null;
}

/** Returns the secrets that were shown to the readers, newest first. */
export async function listReveals(
  db: Knex,
  page: { readonly readers: Readers; readonly before?: number | undefined; readonly limit: number },
): Promise<RevealRecord[]> {
  const { readers, before, limit } = page;
  return await queryRows<RevealRecord>(
    db,
    `select r.id, c.public_id as "channelPublicId", w.public_id as "workspacePublicId", c.display_name as "displayName",
       r.kind, coalesce(a.public_id, k.public_id, u.public_id) as "readerId", r.first_revealed_at as "firstRevealedAt",
       r.last_revealed_at as "lastRevealedAt", r.reveal_count as count, ${isCurrent} as "isCurrent",
       case when s.ends_at > clock_timestamp() then s.ends_at end as "endsAt"
     ${fromReveals}
     left join api_keys k on k.id = r.api_key_id left join agent_credentials a on a.api_key_id = k.id
     where ${condition(readers)} and (cast(:before as bigint) is null or r.id < cast(:before as bigint))
     order by r.id desc limit :limit`,
    { ...readers, before: before ?? null, limit },
  );
}

export interface RevealedSecret {
  readonly channelPublicId: string;
  readonly kind: SecretKind;
  readonly number: number;
  /** The key that holds the token; null unless it is an agent's own token. */
  readonly holderKeyId: number | null;
}

/** Returns each current secret once. Optional: only those of these channels. */
export async function listRevealedSecrets(
  db: Knex,
  asked: { readonly readers: Readers; readonly channels?: readonly string[] | undefined },
): Promise<RevealedSecret[]> {
  return await queryRows<RevealedSecret>(
    db,
    `select distinct c.id, c.public_id as "channelPublicId", r.kind, r.secret_number as number,
       s.api_key_id as "holderKeyId"
     ${fromReveals}
     where ${condition(asked.readers)} and ${isCurrent}
       and (cast(:channels as text[]) is null or c.public_id = any(cast(:channels as text[])))
     order by c.id, r.kind, r.secret_number`,
    { ...asked.readers, channels: asked.channels ?? null },
  );
}

const fromReveals = `
from secret_reveals r
join channels c on c.id = r.channel_id
join workspaces w on w.id = c.workspace_id
join users u on u.id = r.user_id
left join lateral (
  select t.expires_at is null and t.revoked_at is null and (a.id is null or ${keyGrantsSql}) as is_current,
    case when t.revoked_at is null then t.expires_at end as ends_at, t.api_key_id
  from channel_tokens t left join api_keys a on a.id = t.api_key_id
  where r.kind = 'token' and t.id = r.secret_number
  union all
  select h.expires_at is null, h.expires_at, null
  from webhook_secrets h where r.kind = 'webhook_secret' and h.id = r.secret_number
  union all
  select v.verify_token_version = r.secret_number and v.verify_token_encrypted is not null, null, null
  from webhook_configs v where r.kind = 'verify_token' and v.channel_id = r.channel_id
) s on true`;

/** Secrets of a deleted workspace open nothing, so they don't count as current. */
const isCurrent = '(coalesce(s.is_current, false) and w.deleted_at is null)';

function condition(readers: Readers): string {
  return 'apiKeyId' in readers
    ? 'r.api_key_id = :apiKeyId'
    : 'r.organization_id = :organizationId and r.user_id = :userId';
}
