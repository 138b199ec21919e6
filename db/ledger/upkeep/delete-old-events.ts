import type { Knex } from 'knex';
import { ledgerTransaction } from '../../core/ledger-transaction.ts';
import type { IdRange } from './old-periods.ts';

export interface OldRows {
  /** The last row or page processed. */
  readonly position: number;
  readonly cutoff: Date;
  /** Optional. Events that are left, in ascending order. */
  readonly skipped?: readonly IdRange[];
}

export interface RemovedRows {
  readonly position: number;
  readonly removedCount: number;
  readonly isDone: boolean;
}

/** Keeps one transaction to tens of milliseconds. */
const BATCH_SIZE = 500;

/**
 * Keeps an event that has a waiting or recent delivery, or that an active replay must still send.
 *
 * Never waits for locks: locked rows are left for the next run. A replay locks the event before it inserts a delivery,
 * and the delete takes its snapshot after the locks, so it sees that delivery. Lock order, as in all other writers:
 * events, deliveries in id order, holds. Destinations are not locked.
 */
export async function deleteOldEvents(db: Knex, { cutoff, skipped = [], ...from }: OldRows): Promise<RemovedRows> {
  const position = skipped.reduce(
    (at, { first, end }) => (at + 1 >= first && at + 1 < end ? end - 1 : at),
    from.position,
  );
  const next = skipped.find(({ first }) => first > position);
  return await ledgerTransaction(db, async (trx) => {
    await trx.raw('set local enable_seqscan = off');
    const { rows } = await trx.raw<{ rows: LookedRow[] }>(lookedSql, {
      position,
      cutoff,
      limit: BATCH_SIZE,
      below: next?.first ?? Number.MAX_SAFE_INTEGER,
    });
    const looked = rows[0]!;
    const done =
      looked.count < BATCH_SIZE && next
        ? { position: next.end - 1, isDone: false }
        : { position: looked.last_id ?? position, isDone: looked.count < BATCH_SIZE || !looked.has_old };
    if (looked.old_ids.length === 0) return { ...done, removedCount: 0 };
    const eventIds = looked.old_ids;
    const locked = await trx.raw<{ rows: { id: number }[] }>(lockSql, { eventIds });
    const deliveryIds = locked.rows.map(({ id }) => id);
    const deleted = await trx.raw<{ rows: { count: number }[] }>(deleteSql, { eventIds, deliveryIds, cutoff });
    return { ...done, removedCount: deleted.rows[0]!.count };
  });
}

interface LookedRow {
  last_id: number | null;
  count: number;
  has_old: boolean;
  old_ids: number[];
}

/** A replay in planning has no items yet, so all events that it may cover are kept. */
const lookedSql = `
with looked as materialized (
  select id, created_at < :cutoff as is_old, created_at from events
  where id > :position and id < :below order by id limit :limit
),
planning as materialized (
  select min(since_at) as since_at from replays where run_ended_at is null and status = 'planning'
),
old as materialized (
  select e.id from events e join looked on looked.id = e.id cross join planning
  where looked.is_old and looked.created_at < coalesce(planning.since_at, 'infinity') and not exists (
    select from deliveries d where d.event_id = e.id and d.status in ('pending', 'retrying'))
  order by e.id for update of e skip locked
)
select (select max(id) from looked) as last_id, (select count(*)::int from looked) as count,
  coalesce((select bool_or(is_old) from looked), false) as has_old,
  coalesce((select json_agg(id order by id) from old), '[]') as old_ids`;

const lockSql = `
select id from deliveries
where event_id = any (cast(:eventIds as bigint[])) and status not in ('pending', 'retrying')
order by id for update skip locked`;

const deleteSql = `
with gone as materialized (
  select event.id from unnest(cast(:eventIds as bigint[])) as event (id)
  where not exists (
    select from deliveries d
    where d.event_id = event.id and (d.id <> all (cast(:deliveryIds as bigint[]))
      or d.status in ('pending', 'retrying') or d.created_at >= :cutoff or d.restarted_at >= :cutoff))
    and not exists (
      select from replay_items i join replays r on r.id = i.replay_id
      where i.event_id = event.id and i.done_at is null and r.status not in ('completed', 'cancelled'))
),
ended as (
  delete from deliveries d using gone where d.event_id = gone.id
  returning d.id, d.destination_id, d.conversation_key
),
unlogged as (delete from attempts a using ended where a.delivery_id = ended.id),
released as (
  delete from conversation_holds h using ended
  where h.destination_id = ended.destination_id and h.conversation_key = ended.conversation_key
    and h.delivery_id = ended.id
),
unnoted as (delete from delivery_replays r using ended where r.source_delivery_id = ended.id),
removed as (delete from events e using gone where e.id = gone.id returning 1)
select count(*)::int as count from removed`;
