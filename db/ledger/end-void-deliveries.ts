import type { Knex } from 'knex';
import { MAX_WORKFLOWS_PER_DESTINATION } from '../../contract/deliveries/what-next.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { ledgerTransaction } from '../core/ledger-transaction.ts';
import { namedStatement } from '../core/named-statement.ts';
import { voidAsSql } from './destinations/delivery-sql.ts';
import { voidCancellationSql } from './transitions/cancellation-sql.ts';
import { isNotified, moveDeliveriesSql } from './transitions/move-deliveries-sql.ts';
import { isSeenAsSql } from './destinations/kept-urls.ts';

/**
 * Deliveries are void when their destination is deleted or disabled, or their channel disconnected or disabled. Claims
 * leave them out, and workers end them in batches within seconds, so that no change of a destination costs more for
 * more deliveries. The change itself only ends deliveries that have workflows, which are few.
 *
 * All of this skips locked deliveries: it waits for no settlement, and the next sweep finds what was skipped.
 */

/** Ends the deliveries of `waiting`, with why each is void in `void_as`. */
const endSql = (returning?: string): string =>
  moveDeliveriesSql({
    source: 'waiting w',
    id: 'w.id',
    transition: [{ transition: 'cancel', when: "w.void_as = 'cancelled'" }, { transition: 'skip' }],
    skipReason: 'w.void_as',
    cancellation: voidCancellationSql,
    ...(returning !== undefined && { returning }),
    notify: 'destination',
  });

const BATCH_SIZE = 2_000;

export interface EndedVoid {
  readonly cancelledCount: number;
  readonly skippedCount: number;
  /** The caller must wake their workflows. */
  readonly workflowIds: readonly number[];
  readonly isAll: boolean;
}

/** Ends a batch of the void deliveries that wait under these shards. */
export async function endVoidDeliveries(pool: HotPool, shards: readonly number[]): Promise<EndedVoid> {
  const { rows } = await pool.query<EndedRow>(sweep({ shards, limit: BATCH_SIZE }));
  const cancelledCount = rows.filter(({ status }) => status === 'cancelled').length;
  return {
    cancelledCount,
    skippedCount: rows.length - cancelledCount,
    workflowIds: rows.filter((row) => row.has_workflow).map(({ id }) => id),
    isAll: rows.every(({ share }) => rows.length < share), // then no destination has filled its share
  };
}

interface EndedRow {
  readonly id: number;
  readonly status: 'cancelled' | 'skipped';
  readonly has_workflow: boolean;
  readonly share: number;
}

/**
 * Skips between the destinations for which deliveries wait by index, so its cost does not depend on backlogs. A batch takes an equal share of each
 * destination, so that one with a million deliveries does not delay the others.
 */
const sweep = namedStatement<{ readonly shards: readonly number[]; readonly limit: number }>(
  'end-void-deliveries',
  `
with recursive pending (shard, destination_id) as (
  select swept.shard, (
    select d.destination_id from deliveries d where d.shard = swept.shard and d.status = 'pending'
    order by d.destination_id limit 1)
  from unnest(:shards::int[]) as swept (shard)
  union all
  select p.shard, (
    select d.destination_id from deliveries d
    where d.shard = p.shard and d.status = 'pending' and d.destination_id > p.destination_id
    order by d.destination_id limit 1)
  from pending p where p.destination_id is not null
),
retrying (destination_id) as (
  (select d.destination_id from deliveries d where d.status = 'retrying' order by d.destination_id limit 1)
  union all
  select (
    select d.destination_id from deliveries d where d.status = 'retrying' and d.destination_id > r.destination_id
    order by d.destination_id limit 1)
  from retrying r where r.destination_id is not null
),
void as materialized (
  select found.* from (select destination_id from pending union select destination_id from retrying) busy
  cross join lateral (
    select dest.id, dest.shard, ${voidAsSql} as void_as
    from destinations dest
    join channels c on c.id = dest.channel_id
    where dest.id = busy.destination_id and dest.shard = any (:shards::int[])
    offset 0 -- or the planner would join all destinations
  ) found
  where busy.destination_id is not null and found.void_as is not null
),
share as materialized (select greatest(:limit::int / greatest(count(*), 1), 1) as rows from void),
waiting as materialized (
  (select d.id, void.void_as, false as has_workflow
   from void cross join lateral (
     select id from deliveries where shard = void.shard and status = 'pending' and destination_id = void.id
     order by id limit (select rows from share) for update skip locked) d
   limit :limit)
  union all
  (select d.id, void.void_as, not d.pump_retries
   from void cross join lateral (
     select id, pump_retries from deliveries where status = 'retrying' and destination_id = void.id
     order by id limit (select rows from share) for update skip locked) d
   limit :limit)
),
${endSql('w.has_workflow')}
select id, status, has_workflow, (select rows from share)::int as share from moved where ${isNotified}`,
);

export interface EndedDeliveries {
  /** The caller must stop their workflows. */
  readonly retrying: readonly number[];
}

/** A channel, or a destination with its old URLs. */
export type VoidOwner = { readonly channelId: number } | { readonly destinationId: number };

/** Ends void deliveries that have workflows. Call it after the commit of the change that makes them void. */
export async function endVoidWorkflows(db: Knex, owner: VoidOwner): Promise<EndedDeliveries> {
  const values = { ...noOwner, ...owner, limit: 2 * MAX_WORKFLOWS_PER_DESTINATION };
  const { rows } = await ledgerTransaction(
    db,
    async (trx) => await trx.raw<{ rows: { id: number }[] }>(workflowsSql, values),
  );
  return { retrying: rows.map(({ id }) => id) };
}

/**
 * Ends void deliveries that no worker has come to yet. Call it in the transaction of a change after which they would be
 * sent. Leaves those beyond a batch for each destination.
 */
export async function endVoidBeforeUse(trx: Knex, owner: VoidOwner): Promise<void> {
  await trx.raw(beforeUseSql, { ...noOwner, ...owner, limit: BATCH_SIZE });
}

const noOwner = { channelId: null, destinationId: null };

const retryingSql = (condition: string): string => `
  select d.id, void.void_as from void cross join lateral (
    select id from deliveries where status = 'retrying' and destination_id = void.id ${condition}
    order by id limit :limit for update skip locked
  ) d`;

const endOfOwnerSql = (waiting: string): string => `
with void as materialized (
  select dest.id, dest.shard, ${voidAsSql} as void_as from destinations dest join channels c on c.id = dest.channel_id
  where (dest.channel_id = cast(:channelId as bigint)
      or ${isSeenAsSql('dest', 'cast(:destinationId as bigint)')})
    and (${voidAsSql}) is not null
),
waiting as materialized (${waiting}),
${endSql()}
select id from moved where ${isNotified}`;

const workflowsSql = endOfOwnerSql(retryingSql('and not pump_retries'));

const beforeUseSql = endOfOwnerSql(`${retryingSql('')}
  union all
  select d.id, void.void_as from void cross join lateral (
    select id from deliveries
    where shard = void.shard and status = 'pending' and destination_id = void.id
    order by id limit :limit for update skip locked
  ) d`);

/** Lists those that a workflow retries. */
export async function listRetryingDeliveries(db: Knex, destinationId: number): Promise<number[]> {
  return await db('deliveries')
    .where({ destination_id: destinationId, status: 'retrying', pump_retries: false })
    .orderBy('id')
    .pluck('id');
}
