import type { Knex } from 'knex';
import { retryRaces } from './retry-races.ts';

/** Repeats the transaction after a deadlock, or after a row that it waited for has moved. */
export async function ledgerTransaction<Result>(
  db: Knex,
  act: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return await retryRaces(() => db.transaction(act));
}
