import type { HotPool } from '../../core/hot-pool.ts';

/** A destination that has moved into the shard, while deliveries may wait under its former shard. */
export interface Arrival {
  readonly destinationId: number;
  /** Seconds of the server's clock, after the move. */
  readonly seenAt: number;
  /** Start of the oldest running transaction. Null if no transaction runs. */
  readonly oldestTransactionAt: number | null;
}

/** Keeps one statement to tenths of a second. */
const BATCH_SIZE = 1_000;
const MAX_STRAYS = 100;

/** A transaction that began before the move may add deliveries to the former shard until it ends. */
export const oldestTransactionSql = `(
  select extract(epoch from min(began_at))::float8 from running_transactions())`;

export async function listArrivals(pool: HotPool, shard: number): Promise<Arrival[]> {
  const { rows } = await pool.query<Arrival>({
    name: 'list-arrivals',
    text: `select destination_id as "destinationId", extract(epoch from clock_timestamp())::float8 as "seenAt",
             ${oldestTransactionSql} as "oldestTransactionAt"
           from moving_destinations where shard = $1`,
    values: [shard],
  });
  return rows;
}

/** Moves waiting deliveries of arrived destinations from the former shard, without those that others have locked. */
export async function moveWaitingDeliveries(pool: HotPool, shard: number): Promise<number> {
  const { rowCount } = await pool.query({ name: 'move-waiting', text: moveWaitingSql, values: [shard] });
  return rowCount ?? 0;
}

const waitingSql = (status: 'pending' | 'retrying'): string => `
  select d.id, a.former_shard from arriving a cross join lateral (
    select id from deliveries
    where shard = a.former_shard and status = '${status}' and destination_id = a.destination_id
    order by id limit ${BATCH_SIZE}
  ) d limit ${BATCH_SIZE}`;

/** Readers of the change stream see no change, so `xid` stays. */
const moveWaitingSql = `
with arriving as materialized (
  select destination_id, former_shard from moving_destinations where shard = $1
),
waiting as materialized ((${waitingSql('pending')}) union all (${waitingSql('retrying')})),
free as materialized (
  select d.id from deliveries d join waiting w on w.id = d.id
  where d.status in ('pending', 'retrying') and d.shard = w.former_shard
  order by d.id for update of d skip locked
)
update deliveries d set shard = $1 from free
where d.id = free.id and d.status in ('pending', 'retrying')`;

/** Ends the moves of destinations for which nothing waits under the former shard. */
export async function endMoves(
  pool: HotPool,
  { shard, destinationIds }: { readonly shard: number; readonly destinationIds: readonly number[] },
): Promise<number> {
  if (destinationIds.length === 0) return 0;
  const { rowCount } = await pool.query({
    name: 'end-moves',
    text: `delete from moving_destinations m where m.shard = $1 and m.destination_id = any ($2::bigint[])
             and not exists (select from deliveries d
               where d.shard = m.former_shard and d.status = 'pending' and d.destination_id = m.destination_id)
             and not exists (select from deliveries d
               where d.shard = m.former_shard and d.status = 'retrying' and d.destination_id = m.destination_id)`,
    values: [shard, destinationIds],
  });
  return rowCount ?? 0;
}

/**
 * A net for pending deliveries whose destination has left the shard: no pump would claim them. Lets the destination's
 * pump read the shard again. Returns how many destinations it found.
 */
export async function adoptStrays(pool: HotPool, shard: number): Promise<number> {
  const { rowCount } = await pool.query({
    name: 'adopt-strays',
    text: `
      with recursive busy (destination_id) as (
        (select destination_id from deliveries where shard = $1 and status = 'pending' order by destination_id limit 1)
        union all
        select (select d.destination_id from deliveries d
                where d.shard = $1 and d.status = 'pending' and d.destination_id > busy.destination_id
                order by d.destination_id limit 1)
        from busy where busy.destination_id is not null
      )
      insert into moving_destinations (destination_id, shard, former_shard)
      select dest.id, dest.shard, $1 from busy join destinations dest on dest.id = busy.destination_id
      where dest.shard <> $1 and dest.shard >= 0
      order by dest.id limit ${MAX_STRAYS}
      on conflict (destination_id) do nothing`,
    values: [shard],
  });
  return rowCount ?? 0;
}
