import type { Knex } from 'knex';
import { LISTENER_SHARD } from './destinations/destinations.ts';

export type Passing =
  /** It is in the retry schedule now and due; its workflow has to be told. */
  | 'passed'
  /** Nothing holds it back: its pump sends it. */
  | 'free'
  /** Somebody else moved the row first. */
  | 'moved';

/**
 * Takes a pending delivery out of the order in which its pump would send it, where something holds it back: a head of its
 * conversation that failed, or the open circuit of its destination. No pump claims what is in the retry schedule, and
 * what a pump has of the destination in memory it reads anew.
 */
export async function passHeldDelivery(db: Knex, id: number): Promise<Passing> {
  const { rows } = await db.raw<{ rows: { is_held: boolean }[] }>(passSql, { id });
  const [row] = rows;
  if (!row) return 'moved';
  return row.is_held ? 'passed' : 'free';
}

/** Gives a delivery back to its pump whose workflow could not be told, unless it has gone meanwhile. */
export async function returnHeldDelivery(
  db: Knex,
  { id, attemptCount }: { readonly id: number; readonly attemptCount: number },
): Promise<void> {
  await db.raw(returnSql, { id, attemptCount });
}

/** A listener's deliveries are read and not sent: nothing holds them. */
const passSql = `
with waiting as materialized (
  select d.id, d.shard, d.destination_id, d.shard <> ${LISTENER_SHARD} and (dest.circuit = 'open'
    or (dest.ordering = 'conversation' and exists (
      select from conversation_holds h
      where h.destination_id = d.destination_id and h.conversation_key = d.conversation_key
        and h.delivery_id < d.id and h.until_at > now()))) as is_held
  from deliveries d join destinations dest on dest.id = d.destination_id
  where d.id = :id and d.status = 'pending' for update of d
),
passed as (
  update deliveries d set status = 'retrying', next_attempt_at = now(), xid = pg_current_xact_id()
  from waiting w where w.is_held and d.id = w.id
)
select is_held, case when is_held then pg_notify('deliveries', shard || ':' || destination_id) end as notified
from waiting`;

const returnSql = `
with returned as (
  update deliveries set status = 'pending', next_attempt_at = null, xid = pg_current_xact_id()
  where id = :id and status = 'retrying' and attempt_count = :attemptCount
  returning shard
)
select pg_notify('deliveries', shard::text) from returned`;
