import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import type { Scope } from '../contract/scopes.ts';
import { withFreshId } from './fresh-id.ts';
import { sealedContexts } from './sealed-columns.ts';
import type { SecretBox } from './secrets.ts';
import type { OrganizationRole } from './users.ts';

const TOKEN_PREFIX = 'hmok_';
const TOKEN_BYTES = 32;

export interface NewApiKey {
  readonly organizationId: number;
  readonly userId: number;
  readonly name: string;
  /** Null: full access to the organization. */
  readonly scopes: readonly Scope[] | null;
  readonly expiresAt?: Date;
}

/** Who an API key speaks for. */
export interface KeyHolder {
  readonly keyId: string;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly userId: number;
  readonly organizationRole: OrganizationRole | null;
  readonly scopes: readonly Scope[] | null;
}

/** Makes a key; its token is returned here and sealed, the table's look-up column keeps only a keyed hash. */
export async function insertApiKey(
  db: Knex,
  { secretBox, tokenSalt }: { secretBox: SecretBox; tokenSalt: Uint8Array },
  key: NewApiKey,
): Promise<{ publicId: string; token: string }> {
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  return await withFreshId('apiKey', async (publicId) => {
    const { rows } = await db.raw<{ rows: { public_id: string }[] }>(
      `insert into api_keys (public_id, organization_id, user_id, name, token_hash, token_encrypted, scopes, expires_at)
       values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (public_id) do nothing returning public_id`,
      [
        publicId,
        key.organizationId,
        key.userId,
        key.name,
        hashToken(tokenSalt, token),
        secretBox.seal(token, sealedContexts.apiKeyToken(publicId)),
        key.scopes && [...key.scopes],
        key.expiresAt ?? null,
      ],
    );
    return rows[0] && { publicId, token };
  });
}

interface HolderRow {
  public_id: string;
  token_hash: Buffer;
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
  const hash = hashToken(tokenSalt, token);
  const { rows } = await db.raw<{ rows: HolderRow[] }>(
    `select k.public_id, k.token_hash, k.organization_id, o.public_id as organization_public_id, k.user_id, k.scopes,
       m.role
     from api_keys k
     join organizations o on o.id = k.organization_id
     left join organization_members m on m.organization_id = k.organization_id and m.user_id = k.user_id
     where k.token_hash = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
       and (k.scopes is null or m.role is not null)`,
    [hash],
  );
  const row = rows[0];
  if (!row || !timingSafeEqual(row.token_hash, hash)) return undefined;
  return {
    keyId: row.public_id,
    organizationId: row.organization_id,
    organizationPublicId: row.organization_public_id,
    userId: row.user_id,
    organizationRole: row.role,
    scopes: row.scopes,
  };
}

/** Keyed, so that a stolen table can't be searched with tokens guessed or found elsewhere. */
function hashToken(tokenSalt: Uint8Array, token: string): Buffer {
  return createHmac('sha256', tokenSalt).update(token).digest();
}

/** The token of the organization's valid key of this name; undefined where there is none. */
export async function revealApiKey(
  db: Knex,
  secretBox: SecretBox,
  { organizationId, name }: { organizationId: number; name: string },
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { public_id: string; token_encrypted: string }[] }>(
    `select public_id, token_encrypted from api_keys
     where organization_id = ? and name = ? and revoked_at is null and (expires_at is null or expires_at > now())
     order by id limit 1`,
    [organizationId, name],
  );
  const [row] = rows;
  return row && secretBox.open(row.token_encrypted, sealedContexts.apiKeyToken(row.public_id));
}
