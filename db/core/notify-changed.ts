import type { Knex } from 'knex';
import { queryRows } from './query-rows.ts';

/** Notifies the pumps on commit; they discard unsent deliveries of these destinations and read them again. */
export async function notifyChanged(trx: Knex, destinationIds: readonly number[]): Promise<void> {
  if (destinationIds.length === 0) return;
  await queryRows(
    trx,
    `select pg_notify('deliveries', shard || ':' || id) from destinations where id = any (cast(:destinationIds as bigint[]))`,
    { destinationIds },
  );
}
