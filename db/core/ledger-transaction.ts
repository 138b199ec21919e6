import type { Knex } from 'knex';
import { retryRaces } from './retry-races.ts';

/**
 * Repeats the transaction after a deadlock, or after a row that it waited for has moved. PostgreSQL 18.4 may crash if it
 * prunes partitions while a statement that waited for a row continues (see `createHotPool`).
 */
export async function ledgerTransaction<Result>(
  db: Knex,
  act: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return await retryRaces(() =>
    db.transaction(async (trx) => {
      await trx.raw('set local enable_partition_pruning = off');
      return await act(trx);
    }),
  );
}
