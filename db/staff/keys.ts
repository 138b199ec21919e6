import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { raw } from 'objection';
import { hashKey, opaqueTokenHash } from '../core/opaque-tokens.ts';
import { insertWithFreshId } from '../core/model.ts';
import type { SigningRing } from '../core/signing-keys.ts';
import { StaffKeyModel } from '../models/staff-key.ts';

/** The same as an API key's, so that leak scanners recognize both. */
const TOKEN_PREFIX = 'hmok_';
const TOKEN_BYTES = 32;

export interface NewStaffKey {
  readonly userId: number;
  /** Null if the key never expires. */
  readonly expiresAt: Date | null;
}

/** The token is not stored. */
export async function insertStaffKey(
  db: Knex,
  tokenSalt: Uint8Array,
  { userId, expiresAt }: NewStaffKey,
): Promise<{ publicId: string; token: string }> {
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  const values = { userId, expiresAt, tokenHash: hashKey(tokenSalt, token) };
  const { publicId } = await insertWithFreshId(db, StaffKeyModel, { kind: 'apiKey', values });
  return { publicId, token };
}

/**
 * For development only. Derived from the key ring, so that every start has the same key. Each call extends its expiry.
 */
export async function ensureDemoStaffKey(
  db: Knex,
  { tokenSalt, signingRing }: { tokenSalt: Uint8Array; signingRing: SigningRing },
  { userId, expiresAt }: NewStaffKey,
): Promise<string> {
  const { bytes } = signingRing.active('demo-staff-key');
  const token = TOKEN_PREFIX + opaqueTokenHash(bytes, 'demo-staff-key', 'demo').toString('base64url');
  const tokenHash = hashKey(tokenSalt, token);
  const extended = await StaffKeyModel.query(db).patch({ expiresAt }).where({ token_hash: tokenHash });
  if (extended === 0) {
    await insertWithFreshId(db, StaffKeyModel, { kind: 'apiKey', values: { userId, expiresAt, tokenHash } });
  }
  return token;
}

export interface StaffKeyHolder {
  readonly keyId: string;
  readonly userId: number;
  readonly userPublicId: string;
}

export async function findStaffKeyHolder(
  db: Knex,
  { tokenSalt, token }: { tokenSalt: Uint8Array; token: string },
): Promise<StaffKeyHolder | undefined> {
  const hash = hashKey(tokenSalt, token);
  const key = await StaffKeyModel.query(db)
    .joinRelated('user')
    .select('staff_keys.public_id as keyId', 'token_hash', 'user_id', 'user.public_id as userPublicId')
    .findOne({ token_hash: hash, is_staff: true })
    .whereNull('revoked_at')
    .where((either) => either.whereNull('expires_at').orWhere('expires_at', '>', raw('now()')))
    .castTo<(StaffKeyHolder & { readonly tokenHash: Buffer }) | undefined>();
  if (!key) return undefined;
  const { tokenHash, ...holder } = key;
  return timingSafeEqual(tokenHash, hash) ? holder : undefined;
}

export interface ListedStaffKey {
  readonly keyId: string;
  readonly email: string;
  readonly createdAt: Date;
  /** Null if the key never expires. */
  readonly expiresAt: Date | null;
}

export async function listStaffKeys(db: Knex): Promise<ListedStaffKey[]> {
  return await StaffKeyModel.query(db)
    .joinRelated('user')
    .select('staff_keys.public_id as keyId', 'email', 'staff_keys.created_at', 'expires_at')
    .whereNull('revoked_at')
    .orderBy('staff_keys.id')
    .castTo<ListedStaffKey[]>();
}

export async function revokeStaffKey(db: Knex, publicId: string): Promise<boolean> {
  const count = await StaffKeyModel.query(db)
    .patch({ revokedAt: raw('now()') })
    .where({ public_id: publicId })
    .whereNull('revoked_at');
  return count === 1;
}
