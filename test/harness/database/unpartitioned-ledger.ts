import type { Knex } from 'knex';
import { ledgerBoundary } from '../../../db/migrations/0031-ledger-boundary.ts';
import { conversationReleases } from '../../../db/migrations/0033-conversation-releases.ts';
import { partitionedLedger } from '../../../db/migrations/0032-partitioned-ledger.ts';

export const partitionMigrations = ['0031-ledger-boundary', '0032-partitioned-ledger', '0033-conversation-releases'];

/** Returns the ledger to the schema before its partitions. The next `migrate` applies them again. */
export async function unpartitionLedger(db: Knex): Promise<void> {
  await db.transaction((trx) => conversationReleases.down(trx));
  await db.transaction((trx) => partitionedLedger.down(trx));
  await ledgerBoundary.down(db);
  await db('knex_migrations').whereIn('name', partitionMigrations).del();
}
