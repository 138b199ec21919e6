import type { Knex } from 'knex';
import { queryRows } from './query-rows.ts';

/** Notifies the pumps on commit; they discard unsent deliveries of these destinations and read them again. */
export async function notifyChanged(trx: Knex, destinationIds: readonly number[]): Promise<void> {
  if (destinationIds.length === 0) return;
  await queryRows(trx, notifySql('id = any (cast(:destinationIds as bigint[]))'), { destinationIds });
}

/** As `notifyChanged`, for all destinations of a channel. */
export async function notifyChannelChanged(trx: Knex, channelId: number): Promise<void> {
  await queryRows(trx, notifySql('channel_id = :channelId and deleted_at is null'), { channelId });
}

const notifySql = (which: string): string =>
  `select pg_notify('deliveries', shard || ':' || id) from destinations where ${which}`;
