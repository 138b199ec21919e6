import type { Knex } from 'knex';

export interface ReplayKey {
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
}

export type KeyedReplay =
  | { readonly outcome: 'repeated'; readonly replayId: string; readonly matched: number }
  | { readonly outcome: 'key_reused' };

/** Returns undefined if the key is new. */
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

/** Serializes requests with the same key until the transaction ends. */
export async function lockReplayKey(trx: Knex, { keyHash }: ReplayKey): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [REPLAY_KEY_LOCKS, keyHash.readInt32BE()]);
}

/** Arbitrary lock namespace. */
const REPLAY_KEY_LOCKS = 8_140_663;
