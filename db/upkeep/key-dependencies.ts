import type { Knex } from 'knex';
import { sealedColumns } from '../core/sealed-columns.ts';

export interface KeyDependency {
  sealedCount: number;
  /** Active sessions; without the key, their clients must sign in again. */
  refreshTokenCount: number;
  refreshTokensExpireAt: Date | null;
  mailCodeCount: number;
}

export interface RingIds {
  readonly activeKeyId: string;
  readonly keyIds: readonly string[];
}

export async function readKeyDependencies(db: Knex, ring: RingIds): Promise<Record<string, KeyDependency>> {
  const found: Record<string, KeyDependency> = {};
  const of = (keyId: string): KeyDependency => (found[keyId] ??= noDependency());
  for (const keyId of ring.keyIds) if (keyId !== ring.activeKeyId) of(keyId);
  for (const { keyId, count } of await countSealed(db, ring)) of(keyId).sealedCount += count;
  for (const { keyId, count, expireAt } of await countRefreshTokens(db, ring)) {
    Object.assign(of(keyId), { refreshTokenCount: count, refreshTokensExpireAt: expireAt });
  }
  for (const { keyId, count } of await countMailCodes(db, ring)) of(keyId).mailCodeCount = count;
  return found;
}

const noDependency = (): KeyDependency => ({
  sealedCount: 0,
  refreshTokenCount: 0,
  refreshTokensExpireAt: null,
  mailCodeCount: 0,
});

interface KeyCount {
  readonly keyId: string;
  readonly count: number;
}

async function countSealed(db: Knex, { activeKeyId }: RingIds): Promise<KeyCount[]> {
  const parts = sealedColumns.map(
    ({ table, column }) => `select split_part(${column}, '.', 2) as key_id from ${table}`,
  );
  const sql = `select key_id, null::timestamptz as expires_at from (${parts.join(' union all ')}) s`;
  return await countByKey(db, sql, activeKeyId);
}

async function countRefreshTokens(db: Knex, { activeKeyId }: RingIds) {
  const sql = `select refresh_key_id as key_id, expires_at from sessions where revoked_at is null and expires_at > now()`;
  return await countByKey(db, sql, activeKeyId);
}

async function countMailCodes(db: Knex, { activeKeyId }: RingIds): Promise<KeyCount[]> {
  const sql = `select code_key_id as key_id, expires_at from email_registrations where status = 'open' and expires_at > now()`;
  return await countByKey(db, sql, activeKeyId);
}

async function countByKey(db: Knex, rowsSql: string, activeKeyId: string) {
  const { rows } = await db.raw<{ rows: (KeyCount & { readonly expireAt: Date | null })[] }>(
    `select key_id as "keyId", count(*)::int as count, max(expires_at) as "expireAt"
     from (${rowsSql}) r where key_id <> ? group by key_id order by key_id`,
    [activeKeyId],
  );
  return rows;
}
