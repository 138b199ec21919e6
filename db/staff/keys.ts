import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { withFreshId } from '../core/fresh-id.ts';
import { hashKey } from '../core/key-hash.ts';
import { opaqueTokenHash } from '../core/opaque-tokens.ts';
import type { SigningRing } from '../core/signing-keys.ts';

/** As of API keys: one form, so that whoever finds one somewhere knows what it is. */
const TOKEN_PREFIX = 'hmok_';
const TOKEN_BYTES = 32;

export interface NewStaffKey {
  readonly userId: number;
  /** Null: never. */
  readonly expiresAt: Date | null;
}

/** Makes a key of staff. Its token is returned here and kept nowhere. */
export async function insertStaffKey(
  db: Knex,
  tokenSalt: Uint8Array,
  key: NewStaffKey,
): Promise<{ publicId: string; token: string }> {
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  const publicId = await withFreshId('apiKey', (fresh) =>
    insert(db, { ...key, publicId: fresh, hash: hashKey(tokenSalt, token) }),
  );
  return { publicId, token };
}

/**
 * Returns the staff key of the demo, which is the same at every start without being kept: it follows from the key ring.
 * Each call prolongs it. For development only.
 */
export async function ensureDemoStaffKey(
  db: Knex,
  { tokenSalt, signingRing }: { tokenSalt: Uint8Array; signingRing: SigningRing },
  key: NewStaffKey,
): Promise<string> {
  const { bytes } = signingRing.active('demo-staff-key');
  const token = TOKEN_PREFIX + opaqueTokenHash(bytes, 'demo-staff-key', 'demo').toString('base64url');
  const hash = hashKey(tokenSalt, token);
  const prolonged = await db('staff_keys').where({ token_hash: hash }).update({ expires_at: key.expiresAt });
  if (prolonged === 0) await withFreshId('apiKey', (publicId) => insert(db, { ...key, publicId, hash }));
  return token;
}

async function insert(
  db: Knex,
  { userId, expiresAt, publicId, hash }: NewStaffKey & { readonly publicId: string; readonly hash: Buffer },
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { public_id: string }[] }>(
    `insert into staff_keys (public_id, user_id, token_hash, expires_at) values (?, ?, ?, ?)
     on conflict (public_id) do nothing returning public_id`,
    [publicId, userId, hash, expiresAt],
  );
  return rows[0]?.public_id;
}

/** Whose staff key a token is. */
export interface StaffKeyHolder {
  readonly keyId: string;
  readonly userId: number;
  readonly userPublicId: string;
}

/** The holder of a staff key that is neither revoked nor expired, while the person is staff. */
export async function findStaffKeyHolder(
  db: Knex,
  { tokenSalt, token }: { tokenSalt: Uint8Array; token: string },
): Promise<StaffKeyHolder | undefined> {
  const hash = hashKey(tokenSalt, token);
  const { rows } = await db.raw<{ rows: { public_id: string; token_hash: Buffer; user_id: number; user: string }[] }>(
    `select k.public_id, k.token_hash, k.user_id, u.public_id as user
     from staff_keys k join users u on u.id = k.user_id and u.is_staff
     where k.token_hash = ? and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [hash],
  );
  const [row] = rows;
  if (!row || !timingSafeEqual(row.token_hash, hash)) return undefined;
  return { keyId: row.public_id, userId: row.user_id, userPublicId: row.user };
}

/** A key of staff that is not revoked; it may have expired. */
export interface ListedStaffKey {
  readonly keyId: string;
  readonly email: string;
  readonly createdAt: Date;
  /** Null: never. */
  readonly expiresAt: Date | null;
}

/** Lists the keys of staff that are not revoked, the oldest first. */
export async function listStaffKeys(db: Knex): Promise<ListedStaffKey[]> {
  return await db('staff_keys as k')
    .join('users as u', 'u.id', 'k.user_id')
    .whereNull('k.revoked_at')
    .orderBy('k.id')
    .select({ keyId: 'k.public_id', email: 'u.email', createdAt: 'k.created_at', expiresAt: 'k.expires_at' });
}

/** Ends a key of staff; false where it had ended before or there is none. */
export async function revokeStaffKey(db: Knex, publicId: string): Promise<boolean> {
  const count = await db('staff_keys')
    .where({ public_id: publicId })
    .whereNull('revoked_at')
    .update({ revoked_at: db.fn.now() });
  return count === 1;
}
