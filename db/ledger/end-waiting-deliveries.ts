import type { Knex } from 'knex';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { voidAsSql } from './destinations/delivery-sql.ts';
import { waitingShardsSql } from './shards/move-destinations.ts';
import {
  type Cancellation,
  cancellationBindings,
  requestedCancellationSql,
  voidCancellationSql,
} from './transitions/cancellation-sql.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';

export interface EndWaiting {
  readonly channelId: number;
  /** Optional. Defaults to all of the channel. */
  readonly destinationId?: number;
  /** Optional. Recorded with cancelled deliveries. Default: that the destination or its channel was removed. */
  readonly cancellation?: Cancellation;
}

export interface EndedDeliveries {
  /** The caller must stop their workflows. */
  readonly retrying: readonly number[];
}

const BATCH_SIZE = 5_000;

/**
 * Ends deliveries that are void: their destination was deleted or disabled, or its channel disconnected. Call it after
 * the commit of that change. Each batch is a transaction, so that a backlog holds no lock for seconds. Ends the first pending
 * deliveries of each destination and all retries; the pump ends the others, and what a caller that died has left.
 */
export async function endWaitingDeliveries(
  db: Knex,
  { channelId, destinationId, cancellation }: EndWaiting,
): Promise<EndedDeliveries> {
  const retrying: number[] = [];
  for (const id of await listVoid(db, { channelId, destinationId })) {
    const values = { id, limit: BATCH_SIZE, ...cancellationBindings(cancellation) };
    await endBatch(db, pendingSql, values);
    for (;;) {
      const ended = await endBatch(db, retryingSql, values);
      retrying.push(...ended.filter((row) => !row.pump_retries).map((row) => row.id));
      if (ended.length < BATCH_SIZE) break;
    }
  }
  return { retrying };
}

/** With the old URLs of destinations. */
async function listVoid(
  db: Knex,
  {
    channelId,
    destinationId = null,
  }: { readonly channelId: number; readonly destinationId?: number | undefined | null },
): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `select dest.id from destinations dest join channels c on c.id = dest.channel_id
     where dest.channel_id = :channelId and (${voidAsSql}) is not null
       and (cast(:destinationId as bigint) is null or cast(:destinationId as bigint) in (dest.id, dest.kept_for))
     order by dest.id`,
    { channelId, destinationId },
  );
  return rows.map(({ id }) => id);
}

interface EndedRow {
  readonly id: number;
  readonly pump_retries: boolean;
}

async function endBatch(db: Knex, sql: string, values: Knex.ValueDict): Promise<EndedRow[]> {
  return await ledgerTransaction(db, async (trx) => (await trx.raw<{ rows: EndedRow[] }>(sql, values)).rows);
}

/** The destination may have been enabled again. */
const endSql = (which: string): string => `
with void as materialized (
  select dest.id, ${voidAsSql} as void_as from destinations dest join channels c on c.id = dest.channel_id
  where dest.id = :id and (${voidAsSql}) is not null
),
waiting as (
  select d.id, void.void_as from void ${which}
),
${moveDeliveriesSql({
  source: 'waiting w',
  id: 'w.id',
  transition: [{ transition: 'cancel', when: "w.void_as = 'cancelled'" }, { transition: 'skip' }],
  skipReason: 'w.void_as',
  cancellation: `case when cast(:cancelReason as text) is null then ${voidCancellationSql} else ${requestedCancellationSql} end`,
  returning: 'd.pump_retries',
  notify: 'destination',
})}
select id, pump_retries from moved where ${isNotified}`;

const pendingSql = endSql(`
  cross join ${waitingShardsSql(':id')} of_destination
  cross join lateral (
    select id from deliveries
    where shard = of_destination.shard and status = 'pending' and destination_id = void.id
    order by id limit :limit for update
  ) d`);
const retryingSql = endSql(`
  cross join lateral (
    select id from deliveries where status = 'retrying' and destination_id = void.id order by id limit :limit for update
  ) d`);

/** Lists those that a workflow retries. */
export async function listRetryingDeliveries(db: Knex, destinationId: number): Promise<number[]> {
  return await db('deliveries')
    .where({ destination_id: destinationId, status: 'retrying', pump_retries: false })
    .orderBy('id')
    .pluck('id');
}
