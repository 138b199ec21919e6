import type { Knex } from 'knex';

/**
 * Tells the pumps, when the transaction commits, that what they have read of these destinations and not yet sent is old:
 * they forget it and read again. What is on its way by then is on its way.
 */
export async function notifyChanged(trx: Knex, destinationIds: readonly number[]): Promise<void> {
  if (destinationIds.length === 0) return;
  await trx.raw("select pg_notify('deliveries', shard || ':' || id) from destinations where id = any (?::bigint[])", [
    [...destinationIds],
  ]);
}
