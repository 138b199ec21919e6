import type { Knex } from 'knex';
import type { SkipReason } from '../../contract/delivery-status.ts';

export interface EndWaiting {
  readonly channelId: number;
  /** Only deliveries to this destination; all of the channel's where left out. */
  readonly destinationId?: number;
  readonly end: { readonly status: 'cancelled' } | { readonly status: 'skipped'; readonly reason: SkipReason };
}

export interface EndedDeliveries {
  /** Numbers of those that were in the retry schedule: their workflows have nothing left to do. */
  readonly retrying: readonly number[];
}

/** Bounds one statement; a backlog of a million rows takes two hundred. */
const BATCH_SIZE = 5_000;

/**
 * Ends what waits, because what it was for has changed. Rows are locked in the order of their ids, as everybody else
 * who moves many does. Holds of the ended ones go too: nothing waits behind a delivery that has ended.
 */
export async function endWaitingDeliveries(
  trx: Knex,
  { channelId, destinationId, end }: EndWaiting,
): Promise<EndedDeliveries> {
  const retrying: number[] = [];
  let after = 0;
  for (;;) {
    const { rows } = await trx.raw<{ rows: { id: number; was: string }[] }>(endSql, {
      channelId,
      destinationId: destinationId ?? null,
      after,
      limit: BATCH_SIZE,
      status: end.status,
      reason: end.status === 'skipped' ? end.reason : null,
    });
    for (const { id, was } of rows) {
      if (was === 'retrying') retrying.push(id);
      after = Math.max(after, id);
    }
    if (rows.length < BATCH_SIZE) return { retrying };
  }
}

const endSql = `
with waiting as (
  select id, status from deliveries
  where channel_id = :channelId and id > :after and status in ('pending', 'retrying')
    and (cast(:destinationId as bigint) is null or destination_id = cast(:destinationId as bigint))
  order by id limit :limit for update
),
ended as (
  update deliveries d
  set status = :status, skip_reason = :reason, next_attempt_at = null, xid = pg_current_xact_id()
  from waiting w where d.id = w.id
  returning d.id, d.destination_id, d.conversation_key, w.status as was
),
released as (
  delete from conversation_holds h using ended e
  where e.was = 'retrying' and h.destination_id = e.destination_id and h.conversation_key = e.conversation_key
    and h.delivery_id = e.id
)
select id, was from ended`;
