import type { Knex } from 'knex';
import { queryRows } from '../../core/query-rows.ts';
import { cancellationSql } from '../transitions/cancellation-sql.ts';
import { isNotified, moveDeliveriesSql } from '../transitions/move-deliveries-sql.ts';

export interface ErasedEvents {
  readonly events: number;
  readonly deliveries: number;
  readonly cancelled: number;
  readonly attempts: number;
  readonly replayItems: number;
}

/**
 * Empties the bodies and personal columns of the events that still have them. The rows stay with their ids, types,
 * times and states. Cancels pending deliveries, so that nothing is sent any more; each replay counts its unsent items as missing.
 *
 * Call it in a ledger transaction. Lock order, as in all other writers: events, deliveries in id order, holds. A replay
 * or restart locks the event first and finds it erased.
 */
export async function eraseEvents(trx: Knex, asked: readonly number[]): Promise<ErasedEvents> {
  const locked = await queryRows<{ id: number }>(
    trx,
    'select id from events where id = any (:asked) and erased_at is null order by id for update',
    { asked },
  );
  const eventIds = locked.map(({ id }) => id);
  if (eventIds.length === 0) return nothing;
  const cancelled = await queryRows<{ id: number }>(trx, cancelSql, { eventIds });
  const [counts] = await queryRows<Omit<ErasedEvents, 'cancelled'>>(trx, eraseSql, { eventIds });
  return { ...counts!, cancelled: cancelled.length };
}

const nothing: ErasedEvents = { events: 0, deliveries: 0, cancelled: 0, attempts: 0, replayItems: 0 };

const cancelSql = `
with waiting as (
  select id from deliveries where event_id = any (cast(:eventIds as bigint[])) and status in ('pending', 'retrying')
  order by id for update
),
${moveDeliveriesSql({
  source: 'waiting w',
  id: 'w.id',
  transition: 'cancel',
  cancellation: cancellationSql('event_erased'),
  notify: 'destination',
})}
select id from moved where ${isNotified}`;

/** Keys of replayed deliveries are negated ids. The others are hashes of the conversation. */
const eraseSql = `
with emptied as (
  update events set body = '', body_key_id = null, sender = null, person_ids = null, platform_message_id = null,
    conversation_key = 0, erased_at = now()
  where id = any (cast(:eventIds as bigint[])) returning 1
),
delivery as materialized (
  select id from deliveries where event_id = any (cast(:eventIds as bigint[])) order by id
),
forgotten as (
  update deliveries d set conversation_key = least(d.conversation_key, 0)
  from delivery where d.id = delivery.id and d.conversation_key > 0 returning 1
),
answered as (${eraseAnswersSql('delivery')}),
unplanned as (
  update replay_items set done_at = now() where event_id = any (cast(:eventIds as bigint[])) and done_at is null
  returning replay_id
),
noted as (
  update replays r set missing = r.missing + u.count
  from (select replay_id, count(*) as count from unplanned group by replay_id) u where r.id = u.replay_id
)
select (select count(*)::int from emptied) as events, (select count(*)::int from delivery) as deliveries,
  (select count(*)::int from answered) as attempts, (select count(*)::int from unplanned) as "replayItems"`;

/**
 * Keeps the time, the outcome and the status of the attempts. The digest of a short body would tell what it was. The
 * answer to a request with several events may quote any of them, so it is erased from all of its attempts.
 */
function eraseAnswersSql(deliveries: string): string {
  return `
  update attempts a set response_headers = null, response_body = null, response_body_key_id = null, request = null
  from (
    select id, null::bigint[] as batch from ${deliveries}
    union all
    select unnest(one.batch), one.batch from ${deliveries} e join attempts one on one.delivery_id = e.id
    where cardinality(one.batch) > 1
  ) e
  where a.delivery_id = e.id and (e.batch is null or a.batch = e.batch)
    and num_nonnulls(a.response_headers, a.response_body, a.request) > 0
  returning 1`;
}

/** Erases the answers of attempts that ended after their event was erased. */
export async function eraseLateAnswers(trx: Knex, eventIds: readonly number[]): Promise<number> {
  const [erased] = await queryRows<{ count: number }>(
    trx,
    `with delivery as materialized (
       select id from deliveries where event_id = any (cast(:eventIds as bigint[])) order by id
     ),
     answered as (${eraseAnswersSql('delivery')})
     select count(*)::int as count from answered`,
    { eventIds },
  );
  return erased!.count;
}
