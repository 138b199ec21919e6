import type { Knex } from 'knex';

/** `lock_not_available`, after the transaction's `lock_timeout`. */
const LOCK_TIMEOUT = '55P03';

/** Returns undefined if the transaction did not get a lock in time. Callers try again later. */
export async function unlessLocked<Result>(
  db: Knex,
  act: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await db.transaction(act);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT) return undefined;
    throw error;
  }
}
