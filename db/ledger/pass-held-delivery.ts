import type { Knex } from 'knex';
import { retryRaces } from '../core/retry-races.ts';
import { LISTENER_SHARD } from './destinations/destinations.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export type Passing =
  /** The caller must signal the workflow. */
  | 'passed'
  /** Not held; the pump sends it. */
  | 'free'
  /** Another process changed the row first. */
  | 'moved';

/**
 * Moves a delivery held by its conversation, an open circuit, a rate or a window to the retry schedule, due now. The
 * notification makes the pump discard its copy.
 */
export async function passHeldDelivery(db: Knex, id: number): Promise<Passing> {
  const { rows } = await retryRaces(async () => await db.raw<{ rows: { is_held: boolean }[] }>(passSql, { id }));
  const [row] = rows;
  if (!row) return 'moved';
  return row.is_held ? 'passed' : 'free';
}

/** Returns a delivery to its pump, unless it has changed since. */
export async function returnHeldDelivery(
  db: Knex,
  { id, attemptCount }: { readonly id: number; readonly attemptCount: number },
): Promise<void> {
  await retryRaces(async () => await db.raw(returnSql, { id, attemptCount }));
}

/** As `staysInPump`: only the pump of such a destination knows which deliveries wait for the rate or the window. */
const staysInPumpSql = `(dest.options -> 'requestsPerSecond' is not null or dest.options -> 'concurrency' is not null
    or dest.options -> 'debounce' is not null)`;

/** Listeners read their deliveries, so these are never held. */
const passSql = `
with waiting as materialized (
  select d.id, d.shard, d.destination_id, d.shard <> ${LISTENER_SHARD} and (dest.circuit = 'open' or ${staysInPumpSql}
    or (dest.ordering = 'conversation' and exists (
      select from conversation_holds h
      where h.destination_id = d.destination_id and h.conversation_key = d.conversation_key
        and h.delivery_id < d.id and h.until_at > now()))) as is_held
  from deliveries d join destinations dest on dest.id = d.destination_id
  where d.id = :id and d.status = 'pending' for update of d
),
${moveDeliveriesSql({
  source: 'waiting w',
  id: 'w.id',
  transition: 'pass',
  where: 'w.is_held',
  nextAttemptAt: 'now()',
  notify: 'destination',
})}
select is_held from waiting where ${isNotified}`;

const returnSql = `
with ${moveDeliveriesSql({
  source: '(select cast(:id as bigint) as id) one',
  id: 'one.id',
  transition: 'return',
  where: 'd.attempt_count = :attemptCount',
  notify: 'shard',
})}
select from moved where ${isNotified}`;

/**
 * Gives a delivery that the pump retries to a workflow, which the caller must start. Returns false if a workflow has it
 * already, or if it is not retrying. Adoption starts the workflow if the caller dies.
 */
export async function takeFromPump(db: Knex, id: number): Promise<boolean> {
  return await setPumpRetries(db, { id, from: true });
}

/** Returns a delivery to the pump after `takeFromPump`. */
export async function returnToPump(db: Knex, id: number): Promise<void> {
  await setPumpRetries(db, { id, from: false });
}

async function setPumpRetries(db: Knex, { id, from }: { id: number; from: boolean }): Promise<boolean> {
  const count = await retryRaces(async () =>
    db('deliveries').where({ id, status: 'retrying', pump_retries: from }).update({ pump_retries: !from }),
  );
  return count === 1;
}
