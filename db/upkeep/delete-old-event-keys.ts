import type { Knex } from 'knex';
import type { OldRows, RemovedRows } from '../ledger/upkeep/delete-old-events.ts';

/** Some ten thousand keys: half a megabyte that is read and written in order. */
const PAGES = 64;

/**
 * Deletes the old ones of the next pages of dedupe keys. They are walked through as they lie on the disk, because an
 * index on their time would be one more to write for every event; so that a walk reads the whole table, once a day.
 */
export async function deleteOldEventKeys(db: Knex, { position, cutoff }: OldRows): Promise<RemovedRows> {
  const next = position + PAGES;
  const { rows } = await db.raw<{ rows: { count: number; pages: number }[] }>(
    `with removed as (
       delete from event_keys
       where ctid >= '(${position},0)'::tid and ctid < '(${next},0)'::tid and created_at < ? returning 1
     )
     select (select count(*)::int from removed) as count,
       pg_relation_size('event_keys') / current_setting('block_size')::int as pages`,
    [cutoff],
  );
  const { count, pages } = rows[0]!;
  return { position: next, removedCount: count, isDone: next >= pages };
}
