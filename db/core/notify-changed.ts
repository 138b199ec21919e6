import type { Knex } from 'knex';
import { queryRows } from './query-rows.ts';

/**
 * Notifies the pumps, when the transaction commits, that these destinations have changed. A pump then discards the
 * deliveries that it has read for them and not yet sent, and reads again. Requests in flight are not affected.
 */
export async function notifyChanged(trx: Knex, destinationIds: readonly number[]): Promise<void> {
  if (destinationIds.length === 0) return;
  await queryRows(
    trx,
    `select pg_notify('deliveries', shard || ':' || id) from destinations where id = any (cast(:destinationIds as bigint[]))`,
    { destinationIds },
  );
}
