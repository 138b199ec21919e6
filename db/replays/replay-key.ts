import type { Knex } from 'knex';

/** What makes a repeat of a request for a bulk replay recognisable. */
export interface ReplayKey {
  readonly keyHash: Buffer;
  /** Of all that was asked for. */
  readonly requestHash: Buffer;
}

export type KeyedReplay =
  /** As the first request was answered. */
  | { readonly outcome: 'repeated'; readonly replayId: string; readonly matched: number }
  /** The key came with another request. */
  | { readonly outcome: 'key_reused' };

/** The replay that an organization began with this key; undefined for a fresh key. */
export async function findKeyedReplay(
  db: Knex,
  { organizationId, key }: { readonly organizationId: number; readonly key: ReplayKey },
): Promise<KeyedReplay | undefined> {
  const { rows } = await db.raw<{ rows: { public_id: string; matched: number; request_hash: Buffer }[] }>(
    'select public_id, matched, request_hash from replays where organization_id = ? and idempotency_key_hash = ?',
    [organizationId, key.keyHash],
  );
  const [row] = rows;
  if (!row) return undefined;
  if (!row.request_hash.equals(key.requestHash)) return { outcome: 'key_reused' };
  return { outcome: 'repeated', replayId: row.public_id, matched: row.matched };
}

/** Has requests with the same key queue here until this transaction ends, so that one of them makes the replay. */
export async function lockReplayKey(trx: Knex, { keyHash }: ReplayKey): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [REPLAY_KEY_LOCKS, keyHash.readInt32BE()]);
}

/** An arbitrary number that names these locks among this database's advisory locks. */
const REPLAY_KEY_LOCKS = 8_140_663;
