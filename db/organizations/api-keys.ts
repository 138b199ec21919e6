import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Scope } from '../../contract/identity/scopes.ts';
import { withFreshId } from '../core/fresh-id.ts';
import { sealedContexts } from '../core/sealed-columns.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { hashKey } from '../core/key-hash.ts';

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

/** Makes a key; its token is returned here and sealed, the table's look-up column keeps only a keyed hash. */
export async function insertApiKey(
  db: Knex,
  { secretBox, tokenSalt }: { secretBox: SecretBox; tokenSalt: Uint8Array },
  key: NewApiKey,
): Promise<{ publicId: string; token: string; createdAt: Date }> {
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  return await withFreshId('apiKey', async (publicId) => {
    const { rows } = await db.raw<{ rows: { created_at: Date }[] }>(
      `insert into api_keys (public_id, organization_id, user_id, name, token_hash, token_encrypted, scopes, expires_at)
       values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (public_id) do nothing returning public_id, created_at`,
      [
        publicId,
        key.organizationId,
        key.userId,
        key.name,
        hashKey(tokenSalt, token),
        secretBox.seal(token, sealedContexts.apiKeyToken(publicId)),
        key.scopes && [...key.scopes],
        key.expiresAt ?? null,
      ],
    );
    return rows[0] && { publicId, token, createdAt: rows[0].created_at };
  });
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

/** What may be shown of a key, and the sealed token behind it. */
export interface ApiKeyRecord {
  readonly publicId: string;
  readonly name: string;
  readonly tokenEncrypted: string;
  readonly scopes: readonly Scope[] | null;
  /** Of a key that was got by e-mail code. */
  readonly agentCredentialId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

interface KeyRow {
  public_id: string;
  name: string;
  token_encrypted: string;
  scopes: Scope[] | null;
  agent_credential_id: string | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

const keyRecords = `
  select k.public_id, k.name, k.token_encrypted, k.scopes, k.created_at, k.expires_at, k.last_used_at,
    a.public_id as agent_credential_id
  from api_keys k left join agent_credentials a on a.api_key_id = k.id
  where k.organization_id = :organizationId and k.revoked_at is null`;

export interface ApiKeyPage {
  readonly organizationId: number;
  /** Public id of the last key on the page before; a key revoked since then still marks the place. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The organization's keys that are not revoked, newest first; undefined when `after` names none of its keys. */
export async function listApiKeys(db: Knex, page: ApiKeyPage): Promise<ApiKeyRecord[] | undefined> {
  const { organizationId, after, limit } = page;
  if (after !== undefined) {
    const last = await db('api_keys').where({ public_id: after, organization_id: organizationId }).first('id');
    if (!last) return undefined;
  }
  const { rows } = await db.raw<{ rows: KeyRow[] }>(
    `${keyRecords} and (:after::text is null or k.id < (select id from api_keys where public_id = :after))
     order by k.id desc limit :limit`,
    { organizationId, after: after ?? null, limit },
  );
  return rows.map(fromRow);
}

/** One of the organization's keys that are not revoked. */
export async function findApiKey(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<ApiKeyRecord | undefined> {
  const { rows } = await db.raw<{ rows: KeyRow[] }>(`${keyRecords} and k.public_id = :publicId`, {
    organizationId,
    publicId,
  });
  return rows[0] && fromRow(rows[0]);
}

/** Ends a key; false where it had ended before, or is not the organization's. */
export async function revokeApiKey(
  db: Knex,
  { organizationId, publicId }: { organizationId: number; publicId: string },
): Promise<boolean> {
  const count = await db('api_keys')
    .where({ organization_id: organizationId, public_id: publicId })
    .whereNull('revoked_at')
    .update({ revoked_at: db.fn.now() });
  return count === 1;
}

/** When a key was used last. */
export interface KeyUse {
  readonly publicId: string;
  readonly usedAt: Date;
}

/** Notes uses of many keys at once; an older one than what stands there, from another process, changes nothing. */
export async function recordKeyUses(db: Knex, uses: readonly KeyUse[]): Promise<void> {
  await db.raw(
    `update api_keys k set last_used_at = u.used_at
     from unnest(?::text[], ?::timestamptz[]) as u (public_id, used_at)
     where k.public_id = u.public_id and (k.last_used_at is null or k.last_used_at < u.used_at)`,
    [uses.map(({ publicId }) => publicId), uses.map(({ usedAt }) => usedAt)],
  );
}

function fromRow(row: KeyRow): ApiKeyRecord {
  return {
    publicId: row.public_id,
    name: row.name,
    tokenEncrypted: row.token_encrypted,
    scopes: row.scopes,
    agentCredentialId: row.agent_credential_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  };
}
