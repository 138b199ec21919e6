import type { Knex } from 'knex';
import type { OldRows, RemovedRows } from '../ledger/upkeep/delete-old-events.ts';

/** About ten thousand keys, half a megabyte of I/O. */
const PAGES = 64;

/** Walks the table in physical order, because an index on the time would add a write to every event. */
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
