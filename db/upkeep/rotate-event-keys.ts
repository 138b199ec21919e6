import type { Knex } from 'knex';
import type { OwnerFunction } from '../core/owner-function.ts';
import { unlessLocked } from '../core/unless-locked.ts';
import type { OldRows, RemovedRows } from '../ledger/upkeep/delete-old-events.ts';

const TASK = 'event_key_generation';
/** Earlier generations that are kept. */
const GENERATIONS = 2;
/** Less than the time after which PostgreSQL looks for deadlocks. Events wait for the lock for as long. */
const LOCK_TIMEOUT = '500ms';

/**
 * Begins a new generation of event keys and drops the oldest, if the present one is old enough. Every key is kept for
 * `keptMs` at least. Returns false if it is not old enough or in use for too long.
 *
 * No duplicate passes at the change: the lock waits for all who insert keys, and who comes after it takes a snapshot
 * after the lock, which shows all keys of the earlier generations. These are never written again.
 */
export async function rotateEventKeys(db: Knex, { keptMs }: { readonly keptMs: number }): Promise<boolean> {
  const isRotated = await unlessLocked(db, async (trx) => {
    await trx.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    const due = await trx.raw<{ rowCount: number }>(
      `update retention_sweeps set ended_at = now()
       where task = :task and ended_at <= now() - :ageMs * interval '1 millisecond'`,
      { task: TASK, ageMs: keptMs / GENERATIONS },
    );
    if (due.rowCount === 0) return false;
    await trx.raw('select begin_event_keys()');
    return true;
  });
  return isRotated ?? false;
}

export const beginEventKeysFunction: OwnerFunction = {
  name: 'begin_event_keys',
  returns: 'void',
  body: `begin
    lock table event_keys, event_keys_1, event_keys_2 in access exclusive mode;
    drop table event_keys_2;
    alter table event_keys_1 rename to event_keys_2;
    alter table event_keys rename to event_keys_1;
    create table event_keys (like event_keys_1 including all);
    perform copy_privileges('event_keys_1', 'event_keys');
  end`,
  callers: ['worker'],
};

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
