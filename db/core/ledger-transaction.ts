import type { Knex } from 'knex';

/** `deadlock_detected` and `serialization_failure`. */
const RETRYABLE = new Set(['40P01', '40001']);
const MAX_TRIES = 5;

/** Retries the transaction after a deadlock. */
export async function ledgerTransaction<Result>(
  db: Knex,
  act: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction(act);
    } catch (error) {
      if (tries === MAX_TRIES || !isRetryable(error)) throw error;
    }
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && RETRYABLE.has(error.code);
}
