import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import type { ApiKeyModel } from '../models/api-key.ts';
import type { Columns } from '../core/model.ts';

/** A present or former member of an organization. */
export interface KnownMember {
  readonly organizationId: number;
  readonly userId: number;
  readonly userPublicId: string;
}

/**
 * Returns a member, or a person who has left a key or a record of revealed secrets. Returns undefined for all others,
 * whether or not they exist.
 */
export async function findKnownMember(
  db: Knex,
  { organizationId, userPublicId }: { readonly organizationId: number; readonly userPublicId: string },
): Promise<KnownMember | undefined> {
  const [user] = await queryRows<{ id: number }>(
    db,
    `select u.id from users u where u.public_id = :userPublicId and (
       exists (select from organization_members m where m.user_id = u.id and m.organization_id = :organizationId)
       or exists (select from api_keys k where k.user_id = u.id and k.organization_id = :organizationId)
       or exists (select from secret_reveals r where r.user_id = u.id and r.organization_id = :organizationId))`,
    { organizationId, userPublicId },
  );
  return user && { organizationId, userId: user.id, userPublicId };
}

export interface MemberKey extends Columns<
  ApiKeyModel,
  'id' | 'publicId' | 'name' | 'scopes' | 'createdAt' | 'expiresAt' | 'lastUsedAt'
> {
  readonly agentCredentialId: string | null;
  readonly relation: 'made' | 'revealed';
  readonly isValid: boolean;
}

/** Returns the valid keys that a person created or was shown, newest first. */
export async function listMemberKeys(
  db: Knex,
  { before, limit, ...member }: KnownMember & { readonly before?: number | undefined; readonly limit: number },
): Promise<MemberKey[]> {
  return await queryRows<MemberKey>(
    db,
    `${keysSql} where ${valid} and (cast(:before as bigint) is null or k.id < cast(:before as bigint))
     order by k.id desc limit :limit`,
    { ...member, before: before ?? null, limit },
  );
}

/** Includes revoked and expired keys. */
export async function findMemberKeys(
  db: Knex,
  { keyIds, ...member }: KnownMember & { readonly keyIds: readonly string[] },
): Promise<MemberKey[]> {
  return await queryRows<MemberKey>(db, `${keysSql} where k.public_id = any(:keyIds)`, { ...member, keyIds });
}

export async function findCreatedKeys(db: Knex, member: KnownMember): Promise<MemberKey[]> {
  return await queryRows<MemberKey>(db, `${keysSql} where ${valid} and k.relation = 'made'`, { ...member });
}

const valid = 'k."isValid"';

/** The audit log records who was shown a key. The key of an agent is never shown. */
const keysSql = `
select k.* from (
  select k.id, k.public_id, k.public_id as "publicId", a.public_id as "agentCredentialId", k.name, k.scopes,
    case when k.user_id = :userId then 'made' else 'revealed' end as relation, k.created_at as "createdAt",
    k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
    k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) as "isValid"
  from api_keys k left join agent_credentials a on a.api_key_id = k.id
  where k.organization_id = :organizationId and (k.user_id = :userId or k.public_id in (
    select e.target_id from audit_entries e where e.organization_id = :organizationId
      and e.action = 'apiKey.revealed' and e.actor_id = :userPublicId))
) k`;
