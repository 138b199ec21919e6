import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { hashKey } from '../core/opaque-tokens.ts';
import { queryRows } from '../core/query-rows.ts';
import type { OrganizationRole } from './users.ts';
import type { ApiKeyModel } from '../models/api-key.ts';
import type { Columns } from '../core/model.ts';

export interface KeyHolder extends Columns<
  ApiKeyModel,
  'id' | 'organizationId' | 'userId' | 'scopes' | 'workspaceIds' | 'allowedCidrs' | 'expiresAt'
> {
  readonly keyId: string;
  /** Null unless an agent got the key by email code. */
  readonly agentCredentialId: string | null;
  readonly organizationPublicId: string;
  readonly organizationRole: OrganizationRole | null;
}

/**
 * An agent's key ends with its person's membership; all other keys belong to the organization. SQL, because it runs on
 * every request.
 */
export async function findKeyHolder(
  db: Knex,
  { tokenSalt, token }: { tokenSalt: Uint8Array; token: string },
): Promise<KeyHolder | undefined> {
  const hash = hashKey(tokenSalt, token);
  const [row] = await queryRows<KeyHolder & { readonly tokenHash: Buffer }>(
    db,
    `select k.id, k.public_id as "keyId", k.token_hash as "tokenHash", a.public_id as "agentCredentialId",
       k.organization_id as "organizationId", o.public_id as "organizationPublicId", k.user_id as "userId",
       case when k.owned_by_organization then 'admin' else m.role end as "organizationRole", k.scopes,
       to_jsonb(k.workspace_ids) as "workspaceIds", k.allowed_cidrs as "allowedCidrs",
       k.expires_at as "expiresAt"
     from api_keys k
     join organizations o on o.id = k.organization_id
     left join agent_credentials a on a.api_key_id = k.id
     left join organization_members m on m.organization_id = k.organization_id and m.user_id = k.user_id
     where k.token_hash = :hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
       and (k.scopes is null or k.owned_by_organization or m.role is not null)`,
    { hash },
  );
  if (!row) return undefined;
  const { tokenHash, ...holder } = row;
  return timingSafeEqual(tokenHash, hash) ? holder : undefined;
}
