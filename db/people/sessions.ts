import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { Model } from 'objection';

class SessionRow extends Model {
  static override tableName = 'sessions';
  declare id: number;
  declare user_id: number;
  declare token_hash: Buffer;
  declare refresh_hash: Buffer | null;
  declare refresh_key_id: string | null;
  declare user_agent: string | null;
  declare expires_at: Date;
  declare revoked_at: Date | null;
}

/** A session that is neither ended nor expired, and whose it is. */
export interface LiveSession {
  readonly id: number;
  readonly userId: number;
  readonly userPublicId: string;
  readonly email: string;
  readonly tokenHash: Buffer;
  readonly refreshHash: Buffer | null;
  readonly expiresAt: Date;
}

/** What is kept of a refresh token. */
export interface StoredRefreshToken {
  readonly hash: Buffer;
  /** The key of the ring that tagged it. */
  readonly keyId: string;
}

export interface NewSession {
  readonly userId: number;
  readonly tokenHash: Buffer;
  readonly refresh: StoredRefreshToken;
  readonly userAgent: string | null;
  readonly expiresAt: Date;
}

export async function insertSession(db: Knex, session: NewSession): Promise<void> {
  await SessionRow.query(db).insert({
    user_id: session.userId,
    token_hash: session.tokenHash,
    refresh_hash: session.refresh.hash,
    refresh_key_id: session.refresh.keyId,
    user_agent: session.userAgent,
    expires_at: session.expiresAt,
  });
}

type LiveRow = SessionRow & { user_public_id: string; email: string };

/** The live session with this hash of its token. */
export async function findLiveSession(db: Knex, tokenHash: Buffer): Promise<LiveSession | undefined> {
  const { rows } = await db.raw<{ rows: LiveRow[] }>(
    `select s.*, u.public_id as user_public_id, u.email
     from sessions s join users u on u.id = s.user_id
     where s.token_hash = ? and s.revoked_at is null and s.expires_at > now()`,
    [tokenHash],
  );
  const [row] = rows;
  if (!row || !timingSafeEqual(row.token_hash, tokenHash)) return undefined;
  return {
    id: row.id,
    userId: row.user_id,
    userPublicId: row.user_public_id,
    email: row.email,
    tokenHash: row.token_hash,
    refreshHash: row.refresh_hash,
    expiresAt: row.expires_at,
  };
}

/** Puts the next refresh token in the place of the one shown; false where another request was first. */
export async function rotateRefreshToken(
  db: Knex,
  { id, from, to }: { id: number; from: Buffer; to: StoredRefreshToken },
): Promise<boolean> {
  const count = await SessionRow.query(db)
    .patch({ refresh_hash: to.hash, refresh_key_id: to.keyId })
    .where({ id, refresh_hash: from })
    .whereNull('revoked_at');
  return count === 1;
}

/** Ends one session; false where it had ended before. */
export async function endSession(db: Knex, id: number): Promise<boolean> {
  return (await SessionRow.query(db).patch({ revoked_at: new Date() }).where({ id }).whereNull('revoked_at')) === 1;
}

/** Ends all sessions of a person, at once: every request looks its session up. */
export async function endSessionsOf(db: Knex, userId: number): Promise<number> {
  return await SessionRow.query(db)
    .patch({ revoked_at: new Date() })
    .where({ user_id: userId })
    .whereNull('revoked_at');
}
