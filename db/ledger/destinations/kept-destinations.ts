import type { Knex } from 'knex';

/**
 * Old URLs of destinations, kept for the deliveries that waited when the URL was edited. Each is a destination of its
 * own, with a circuit of its own, that gets nothing new; it is deleted and disabled together with the one it was.
 */

/**
 * Makes a destination of the present URL. In the same shard, so that the pump that holds some of its deliveries goes on
 * holding them, and none goes twice.
 */
export async function insertKeptDestination(trx: Knex, id: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: { id: number }[] }>(
    `insert into destinations (channel_id, type, url, label, event_types, shard, ordering, kept_for)
     select channel_id, type, url, label, event_types, shard, ordering, id from destinations where id = ? returning id`,
    [id],
  );
  const [row] = rows;
  if (!row) throw new Error(`No destination ${id}`);
  return row.id;
}

export interface DestinationsOf {
  readonly channelId: number;
  /** Only this one; all of the channel's, deleted ones too, where left out. */
  readonly destinationId?: number | undefined;
  /** And the old URLs that are kept for it. */
  readonly keptToo: boolean;
}

/** Locks destinations, in the order of their ids: before their deliveries, as whoever settles does. */
export async function lockDestinations(
  trx: Knex,
  { channelId, destinationId, keptToo }: DestinationsOf,
): Promise<{ readonly id: number; readonly shard: number }[]> {
  const { rows } = await trx.raw<{ rows: { id: number; shard: number }[] }>(
    `select id, shard from destinations
     where channel_id = :channelId and (cast(:destinationId as bigint) is null or id = cast(:destinationId as bigint)
       or (:keptToo and kept_for = cast(:destinationId as bigint)))
     order by id for no key update`,
    { channelId, destinationId: destinationId ?? null, keptToo },
  );
  return rows;
}
