import type { Knex } from 'knex';

/** SQLSTATEs that say "nothing was done, ask again". */
const AGAIN = new Set(['40P01', '40001']);
const MAX_TRIES = 5;

/**
 * A transaction over many rows of the ledger, done again when it met the pumps' statements crosswise: PostgreSQL ends
 * one of two that wait for each other, and it may be this one.
 */
export async function ledgerTransaction<Result>(
  db: Knex,
  act: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction(act);
    } catch (error) {
      if (tries === MAX_TRIES || !meansAgain(error)) throw error;
    }
  }
}

function meansAgain(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && AGAIN.has(error.code);
}
