import type { HotPool } from '../../core/hot-pool.ts';
import { exhaustedSql } from './failure-counts-sql.ts';
import { namedStatement } from '../../core/named-statement.ts';
import { isNotified, moveDeliveriesSql } from '../transitions/move-deliveries-sql.ts';

/** Bounds the rows that one probe reads, however many deliveries wait. */
const CANDIDATES = 50;
/** Longer than the longest attempt with its wait for a connection. */
const IN_FLIGHT_MS = 60_000;
/** With these a receiver refuses the event itself: bad request, too large, wrong media type, unprocessable. */
const REFUSALS = [400, 413, 415, 422];
/** Bounds how long one statement locks the destination. */
const BATCH_SIZE = 2_000;

export interface ProbeSearch {
  readonly destinationId: number;
  readonly leastTried: boolean;
  readonly unreadable: readonly number[];
}

/**
 * Chooses a probe among the heads of conversations: preferably the oldest failed one, or with `leastTried` the one with
 * the fewest attempts. Callers alternate, so that one rejected event does not keep the circuit open, and events that the
 * receiver has refused come last: they would be refused by a receiver that is well. While requests from before the
 * circuit opened may be in flight, a delivery without an attempt may be one of them, so that failed ones come first in any
 * case.
 */
export async function findProbe(
  pool: HotPool,
  { destinationId, leastTried, unreadable }: ProbeSearch,
): Promise<number | undefined> {
  const isEarly = `opened_at >= now() - ${IN_FLIGHT_MS} * interval '1 millisecond'`;
  const attempts = leastTried ? `case when not ${isEarly} then attempt_count end` : 'attempt_count = 0';
  const { rows } = await pool.query<{ id: number }>({
    name: leastTried ? 'least-tried-probe' : 'oldest-probe',
    text: `
      with retrying as (
        select id, conversation_key, attempt_count from deliveries
        where destination_id = $1 and status = 'retrying' order by id limit ${CANDIDATES}
      ),
      pending as (
        select id, conversation_key, attempt_count from deliveries
        where shard = (select shard from destinations where id = $1) and status = 'pending' and destination_id = $1
        order by id limit ${CANDIDATES}
      ),
      waiting as (select * from retrying union all select * from pending),
      heads as (
        select distinct on (case when dest.ordering = 'conversation' then w.conversation_key else w.id end)
          w.*, dest.circuit_opened_at as opened_at, exists(
            select from attempts a where a.delivery_id = w.id and a.number = w.attempt_count
              and a.status in (${REFUSALS.join()})) as is_refused
        from waiting w join destinations dest on dest.id = $1
        order by case when dest.ordering = 'conversation' then w.conversation_key else w.id end, w.id
      )
      select id from heads where id <> all ($2::bigint[]) order by ${isEarly} and attempt_count = 0, is_refused, ${attempts}, id limit 1`,
    values: [destinationId, unreadable],
  });
  return rows[0]?.id;
}

interface ExhaustWaiting {
  readonly destinationId: number;
  readonly olderThanMs: number;
}

/** Returns the deliveries that had a workflow. */
export async function exhaustWaiting(pool: HotPool, which: ExhaustWaiting): Promise<number[]> {
  const exhausted: number[] = [];
  for (;;) {
    const { rows } = await pool.query<{ id: number; was: string }>(exhaustBatch({ ...which, limit: BATCH_SIZE }));
    exhausted.push(...rows.filter(({ was }) => was === 'workflow').map(({ id }) => id));
    if (rows.length === 0) return exhausted;
  }
}

/** Locks the destination before its deliveries. Lower ids are older. */
const exhaustBatch = namedStatement<ExhaustWaiting & { readonly limit: number }>(
  'exhaust-waiting-batch',
  `
with l as materialized (
  select id, shard from destinations where id = :destinationId for no key update
),
oldest as (
  (select d.id, 'pump' as owner, coalesce(d.restarted_at, d.created_at) as began_at from l
   cross join lateral (
     select * from deliveries
     where shard = l.shard and status = 'pending' and destination_id = l.id
     order by id limit :limit) d)
  union all
  (select d.id, case when d.pump_retries then 'pump' else 'workflow' end, coalesce(d.restarted_at, d.created_at) from l cross join lateral (
     select * from deliveries where destination_id = l.id and status = 'retrying' order by id limit :limit) d)
),
${moveDeliveriesSql({
  source: 'oldest o',
  id: 'o.id',
  transition: 'exhaust',
  where: "o.began_at < now() - :olderThanMs::bigint * interval '1 millisecond'",
  returning: 'o.owner as was',
  notify: 'destination',
})},
${exhaustedSql}
select id, was from moved where ${isNotified}`,
);

/** Returns deliveries that a workflow retries. The pump claims the others. */
export async function findDue(
  pool: HotPool,
  { destinationId, limit }: { destinationId: number; limit: number },
): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select id from deliveries where destination_id = $1 and status = 'retrying' and not pump_retries and next_attempt_at <= now()
     order by id limit $2`,
    [destinationId, limit],
  );
  return rows.map(({ id }) => id);
}
