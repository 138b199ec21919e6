import type { Knex } from 'knex';
import type { ChannelEventType } from '../contract/event-types.ts';

export type NewDestination = { readonly channelId: number; readonly url: string } & (
  | { readonly type: 'webhook' }
  | {
      readonly type: 'subscription';
      readonly eventTypes: readonly ChannelEventType[];
      readonly label: string | null;
      readonly enabled: boolean;
      /** Not a destination yet: its URL has still to be judged. */
      readonly staged: true;
    }
);

/**
 * Inserts a destination in the shard that its id hashes to. Identity ids come one after the other, so that the hash,
 * not the id itself, must spread them over the shards.
 */
export async function insertDestination(db: Knex, destination: NewDestination): Promise<number> {
  const subscription = destination.type === 'subscription' ? destination : undefined;
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `with fresh as materialized (select nextval(pg_get_serial_sequence('destinations', 'id')) as id)
     insert into destinations (id, channel_id, type, url, label, event_types, enabled, deleted_at, shard)
     overriding system value
     select fresh.id, ?, ?, ?, ?, ?, ?, case when ? then now() end,
       mod(hashint8(fresh.id)::bigint & 2147483647, i.delivery_shards)
     from fresh, installation i
     returning id`,
    [
      destination.channelId,
      destination.type,
      destination.url,
      subscription?.label ?? null,
      subscription ? [...subscription.eventTypes] : null,
      subscription?.enabled ?? true,
      subscription?.staged ?? false,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('The database has no installation row');
  return row.id;
}

/** Aims a webhook at another URL and enables it again; what waits follows it. */
export async function retargetDestination(db: Knex, { id, url }: { id: number; url: string }): Promise<void> {
  await db('destinations').where({ id }).update({ url, enabled: true, disabled_reason: null, updated_at: db.fn.now() });
}

/** Turns a staged destination into a live one. */
export async function commitDestination(db: Knex, id: number): Promise<void> {
  await db('destinations').where({ id }).update({ deleted_at: null, updated_at: db.fn.now() });
}

export async function deleteDestination(db: Knex, id: number): Promise<void> {
  await db('destinations').where({ id }).update({ deleted_at: db.fn.now(), updated_at: db.fn.now() });
}
