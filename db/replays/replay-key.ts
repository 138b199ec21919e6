import type { Knex } from 'knex';

export interface ReplayKey {
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
}

export type KeyedReplay =
  | {
      readonly outcome: 'repeated';
      readonly replayId: string;
      readonly matched: number;
      readonly isCountComplete: boolean;
    }
  | { readonly outcome: 'key_reused' };

/** Returns undefined if the key is new. */
export async function findKeyedReplay(
  db: Knex,
  { organizationId, key }: { readonly organizationId: number; readonly key: ReplayKey },
): Promise<KeyedReplay | undefined> {
  const { rows } = await db.raw<{ rows: KeyedRow[] }>(
    `select public_id, matched, is_count_complete, request_hash
     from replays where organization_id = ? and idempotency_key_hash = ?`,
    [organizationId, key.keyHash],
  );
  const [row] = rows;
  if (!row) return undefined;
  if (!row.request_hash.equals(key.requestHash)) return { outcome: 'key_reused' };
  const { public_id: replayId, matched, is_count_complete: isCountComplete } = row;
  return { outcome: 'repeated', replayId, matched, isCountComplete };
}

interface KeyedRow {
  readonly public_id: string;
  readonly matched: number;
  readonly is_count_complete: boolean;
  readonly request_hash: Buffer;
}

/** Serializes requests with the same key until the transaction ends. */
export async function lockReplayKey(trx: Knex, { keyHash }: ReplayKey): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(?, ?)', [REPLAY_KEY_LOCKS, keyHash.readInt32BE()]);
}

/** Arbitrary lock namespace. */
const REPLAY_KEY_LOCKS = 8_140_663;
