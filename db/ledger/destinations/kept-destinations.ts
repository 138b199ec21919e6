import type { Knex } from 'knex';

/**
 * Old URLs for deliveries that waited when the URL was edited. They have separate circuits and receive no new events.
 */

/**
 * The copy stays in the same shard, so that the pump that holds some of its deliveries sends none twice. It keeps the
 * options and credentials that its URL had.
 */
export async function insertKeptDestination(trx: Knex, id: number): Promise<number> {
  const { rows } = await trx.raw<{ rows: { id: number }[] }>(
    `with kept as (
       insert into destinations (channel_id, type, url, label, event_types, shard, ordering, sends_trace_parent, options,
         credentials_encrypted, kept_for)
       select channel_id, type, url, label, event_types, shard, ordering, sends_trace_parent, options,
         credentials_encrypted, id from destinations where id = :id
       returning id, shard
     ),
     arriving as (
       insert into moving_destinations (destination_id, shard, former_shard)
       select kept.id, kept.shard, m.former_shard from kept join moving_destinations m on m.destination_id = :id
     )
     select id from kept`,
    { id },
  );
  const [row] = rows;
  if (!row) throw new Error(`No destination ${id}`);
  return row.id;
}

export interface DestinationsOf {
  readonly channelId: number;
  /** Optional. Defaults to all. */
  readonly destinationId?: number | undefined;
  readonly keptToo: boolean;
}

export interface LockedDestination {
  readonly id: number;
  /** Its own and, while it moves, the former one. */
  readonly shards: readonly number[];
}

/** Locks destinations in id order. Callers must lock deliveries afterwards. */
export async function lockDestinations(
  trx: Knex,
  { channelId, destinationId, keptToo }: DestinationsOf,
): Promise<LockedDestination[]> {
  const { rows } = await trx.raw<{ rows: { id: number; shard: number }[] }>(
    `select id, shard from destinations
     where channel_id = :channelId and (cast(:destinationId as bigint) is null or id = cast(:destinationId as bigint)
       or (:keptToo and kept_for = cast(:destinationId as bigint)))
     order by id for no key update`,
    { channelId, destinationId: destinationId ?? null, keptToo },
  );
  const former = await trx('moving_destinations')
    .whereIn(
      'destination_id',
      rows.map(({ id }) => id),
    )
    .select<{ destination_id: number; former_shard: number }[]>('destination_id', 'former_shard');
  return rows.map(({ id, shard }) => ({
    id,
    shards: [shard, ...former.filter((each) => each.destination_id === id).map((each) => each.former_shard)],
  }));
}
