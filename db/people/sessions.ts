import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { SessionModel } from '../models/session.ts';
import type { Columns } from '../core/model.ts';

export interface LiveSession extends Columns<
  SessionModel,
  'id' | 'userId' | 'tokenHash' | 'refreshHash' | 'expiresAt'
> {
  readonly userPublicId: string;
  readonly email: string;
}

export interface StoredRefreshToken {
  readonly hash: Buffer;
  readonly keyId: string;
}

export interface NewSession extends Columns<SessionModel, 'userId' | 'tokenHash' | 'userAgent' | 'expiresAt'> {
  readonly refresh: StoredRefreshToken;
}

export async function insertSession(db: Knex, session: NewSession): Promise<void> {
  await SessionModel.query(db).insert({
    userId: session.userId,
    tokenHash: session.tokenHash,
    refreshHash: session.refresh.hash,
    refreshKeyId: session.refresh.keyId,
    userAgent: session.userAgent,
    expiresAt: session.expiresAt,
  });
}

/** SQL, because it runs on every request. */
export async function findLiveSession(db: Knex, tokenHash: Buffer): Promise<LiveSession | undefined> {
  const [session] = await queryRows<LiveSession>(
    db,
    `select s.id, s.user_id as "userId", u.public_id as "userPublicId", u.email, s.token_hash as "tokenHash",
       s.refresh_hash as "refreshHash", s.expires_at as "expiresAt"
     from sessions s join users u on u.id = s.user_id
     where s.token_hash = :tokenHash and s.revoked_at is null and s.expires_at > now()`,
    { tokenHash },
  );
  return session && timingSafeEqual(session.tokenHash, tokenHash) ? session : undefined;
}

export async function rotateRefreshToken(
  db: Knex,
  { id, from, to }: { id: number; from: Buffer; to: StoredRefreshToken },
): Promise<boolean> {
  const count = await SessionModel.query(db)
    .patch({ refreshHash: to.hash, refreshKeyId: to.keyId })
    .where({ id, refresh_hash: from })
    .whereNull('revoked_at');
  return count === 1;
}

export async function endSession(db: Knex, id: number): Promise<boolean> {
  return (await SessionModel.query(db).patch({ revokedAt: new Date() }).where({ id }).whereNull('revoked_at')) === 1;
}

/** Takes effect immediately, because every request reads its session. */
export async function endSessionsOf(db: Knex, userId: number): Promise<number> {
  return await SessionModel.query(db)
    .patch({ revokedAt: new Date() })
    .where({ user_id: userId })
    .whereNull('revoked_at');
}
