import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import type { Scope } from '../../contract/identity/scopes.ts';
import { hashKey } from '../core/key-hash.ts';
import type { OrganizationRole } from './users.ts';

/** Who an API key speaks for. */
export interface KeyHolder {
  /** The key's row. */
  readonly id: number;
  readonly keyId: string;
  /** Of a key that was got by e-mail code. */
  readonly agentCredentialId: string | null;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly userId: number;
  readonly organizationRole: OrganizationRole | null;
  readonly scopes: readonly Scope[] | null;
}

interface HolderRow {
  id: number;
  public_id: string;
  token_hash: Buffer;
  agent_credential_id: string | null;
  organization_id: number;
  organization_public_id: string;
  user_id: number;
  role: OrganizationRole | null;
  scopes: Scope[] | null;
}

/**
 * The holder of a token that is neither revoked nor expired. A scoped key ends with its person's membership; one with
 * full access belongs to the organization and stays.
 */
export async function findKeyHolder(
  db: Knex,
  { tokenSalt, token }: { tokenSalt: Uint8Array; token: string },
): Promise<KeyHolder | undefined> {
  const hash = hashKey(tokenSalt, token);
  const { rows } = await db.raw<{ rows: HolderRow[] }>(
    `select k.id, k.public_id, k.token_hash, k.organization_id, o.public_id as organization_public_id, k.user_id, k.scopes,
       m.role, a.public_id as agent_credential_id
     from api_keys k
     join organizations o on o.id = k.organization_id
     left join agent_credentials a on a.api_key_id = k.id
     left join organization_members m on m.organization_id = k.organization_id and m.user_id = k.user_id
     where k.token_hash = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
       and (k.scopes is null or m.role is not null)`,
    [hash],
  );
  const row = rows[0];
  if (!row || !timingSafeEqual(row.token_hash, hash)) return undefined;
  return {
    id: row.id,
    keyId: row.public_id,
    agentCredentialId: row.agent_credential_id,
    organizationId: row.organization_id,
    organizationPublicId: row.organization_public_id,
    userId: row.user_id,
    organizationRole: row.role,
    scopes: row.scopes,
  };
}
