import type { Knex } from 'knex';
import type { SkipReason } from '../../contract/deliveries/status.ts';
import { notifyChanged } from '../core/notify-changed.ts';
import { lockDestinations } from './destinations/kept-destinations.ts';
import { type Cancellation, cancellationBindings, requestedCancellationSql } from './transitions/cancellation-sql.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export interface EndWaiting {
  readonly channelId: number;
  /** Optional. Defaults to all. */
  readonly destinationId?: number;
  /** Optional. Includes old URLs; defaults to true. */
  readonly keptToo?: boolean;
  readonly end:
    ({ readonly status: 'cancelled' } & Cancellation) | { readonly status: 'skipped'; readonly reason: SkipReason };
}

export interface EndedDeliveries {
  /** The caller must stop their workflows. */
  readonly retrying: readonly number[];
}

const BATCH_SIZE = 5_000;

/** Locks destinations, then deliveries, each in id order. */
export async function endWaitingDeliveries(
  trx: Knex,
  { channelId, destinationId, keptToo = true, end }: EndWaiting,
): Promise<EndedDeliveries> {
  const retrying: number[] = [];
  const endValues = {
    reason: end.status === 'skipped' ? end.reason : null,
    ...cancellationBindings(end.status === 'cancelled' ? end : undefined),
  };
  const destinations = await lockDestinations(trx, { channelId, destinationId, keptToo });
  await notifyChanged(
    trx,
    destinations.map(({ id }) => id),
  );
  for (const { id, shards } of destinations) {
    const values = { destinationId: id, ...endValues };
    for (const shard of shards) await endAll(trx, pendingSql, { ...values, shard });
    const ended = await endAll(trx, retryingSql, values);
    // A retry that became due between the two statements is pending now.
    for (const shard of shards) await endAll(trx, pendingSql, { ...values, shard });
    retrying.push(...ended.filter((row) => !row.pump_retries).map((row) => row.id));
  }
  return { retrying };
}

interface EndedRow {
  readonly id: number;
  readonly pump_retries: boolean;
}

async function endAll(trx: Knex, sql: string, values: object): Promise<EndedRow[]> {
  const ended: EndedRow[] = [];
  let after = 0;
  for (;;) {
    const { rows } = await trx.raw<{ rows: EndedRow[] }>(sql, { ...values, after, limit: BATCH_SIZE });
    ended.push(...rows);
    for (const { id } of rows) after = Math.max(after, id);
    if (rows.length < BATCH_SIZE) return ended;
  }
}

const endSql = (which: string): string => `
with waiting as (
  select id from deliveries
  where ${which} and destination_id = :destinationId and id > :after
  order by id limit :limit for update
),
${moveDeliveriesSql({
  source: 'waiting w',
  id: 'w.id',
  transition: [{ transition: 'cancel', when: 'cast(:reason as text) is null' }, { transition: 'skip' }],
  skipReason: 'cast(:reason as text)',
  cancellation: requestedCancellationSql,
  returning: 'd.pump_retries',
  notify: 'destination',
})}
select id, pump_retries from moved where ${isNotified}`;

const pendingSql = endSql("shard = :shard and status = 'pending'");
const retryingSql = endSql("status = 'retrying'");

/** Lists those that a workflow retries. */
export async function listRetryingDeliveries(db: Knex, destinationId: number): Promise<number[]> {
  return await db('deliveries')
    .where({ destination_id: destinationId, status: 'retrying', pump_retries: false })
    .orderBy('id')
    .pluck('id');
}
