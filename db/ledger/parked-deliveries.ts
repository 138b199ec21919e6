import type { HotPool } from '../core/hot-pool.ts';
import type { HeldLease } from './shards/shard-leases.ts';

/**
 * Pending deliveries behind a held conversation are parked in a partition of their own, so that a claim does not read
 * them. They leave it when the hold ends, and at the latest when it would have expired.
 *
 * None can stay parked for longer. Parking locks the hold: it either commits before the hold is deleted, whose trigger
 * then sees the parked rows and orders their release, or it finds no hold that it can lock. A release is a later
 * statement, so it sees all of them. The expiry of the hold is stored in each row.
 *
 * Neither waits for locks: statements that settle or end many deliveries hold theirs until they end, and the pump
 * must not wait.
 */

/** Keeps one statement to tenths of a second. */
const BATCH_SIZE = 2_000;
const CONVERSATIONS_PER_BATCH = 100;

export interface ParkRequest {
  readonly leases: readonly HeldLease[];
  readonly destinationIds: readonly number[];
  /** In the pump's memory. */
  readonly heldIds: readonly number[];
}

/** Parks the destinations' first deliveries behind holds. Returns how many. */
export async function parkHeldDeliveries(pool: HotPool, request: ParkRequest): Promise<number> {
  const { leases, destinationIds, heldIds } = request;
  if (destinationIds.length === 0) return 0;
  const { rowCount } = await pool.query({
    name: 'park-held-deliveries',
    text: parkSql,
    values: [leases.map(({ shard }) => shard), leases.map(({ fence }) => fence), destinationIds, heldIds],
  });
  return rowCount ?? 0;
}

export interface ReleasedDeliveries {
  readonly count: number;
  readonly destinationIds: readonly number[];
  /** Whether some were parked when the statement began. */
  readonly hadParked: boolean;
}

/** Returns parked deliveries whose hold has ended or expired, oldest first. */
export async function releaseParkedDeliveries(pool: HotPool, shards: readonly number[]): Promise<ReleasedDeliveries> {
  const { rows } = await pool.query<ReleasedDeliveries>({
    name: 'release-parked-deliveries',
    text: releaseSql,
    values: [shards],
  });
  return rows[0]!;
}

/** Skips locked deliveries: their holder may want to delete the hold. */
const parkSql = `
with met as materialized (
  select d.id, d.destination_id, d.conversation_key
  from unnest($3::bigint[]) as asked (destination_id)
  join destinations dest on dest.id = asked.destination_id and dest.ordering = 'conversation'
  join unnest($1::smallint[], $2::bigint[]) as held (shard, fence) on held.shard = dest.shard
  join shard_leases lease on lease.shard = held.shard and lease.fence = held.fence
  cross join lateral (
    select id, destination_id, conversation_key from deliveries_waiting
    where shard = dest.shard and status = 'pending' and destination_id = dest.id and id <> all ($4::bigint[])
    order by id limit ${BATCH_SIZE}
  ) d
),
hold as materialized (
  select h.destination_id, h.conversation_key, h.delivery_id, h.until_at from conversation_holds h
  join (select distinct destination_id, conversation_key from met) m using (destination_id, conversation_key)
  where h.until_at > now()
  order by h.destination_id, h.conversation_key, h.delivery_id for key share of h skip locked
),
behind as materialized (
  select met.id, max(hold.until_at) as until_at
  from met join hold using (destination_id, conversation_key)
  where hold.delivery_id < met.id
  group by met.id order by met.id limit ${BATCH_SIZE}
),
free as materialized (
  select d.id, behind.until_at from behind join deliveries_waiting d using (id)
  order by d.id for update of d skip locked
)
update deliveries d set next_attempt_at = free.until_at
from free where d.id = free.id and d.status = 'pending' and d.next_attempt_at is null
returning d.id`;

const releaseSql = `
with due as materialized (
  select r.id, r.destination_id, r.conversation_key, dest.ordering
  from conversation_releases r join destinations dest on dest.id = r.destination_id
  where dest.shard = any ($1::smallint[])
  order by r.id limit ${CONVERSATIONS_PER_BATCH} for update of r skip locked
),
free as materialized (
  select p.id, due.id as release_id from due cross join lateral (
    select parked.id from deliveries_parked parked
    where parked.destination_id = due.destination_id
      and parked.conversation_key = coalesce(due.conversation_key, parked.conversation_key)
      and (due.ordering = 'none' or not exists (
        select from conversation_holds h
        where h.destination_id = parked.destination_id and h.conversation_key = parked.conversation_key
          and h.delivery_id < parked.id and h.until_at > now()))
    order by parked.id limit ${BATCH_SIZE}
  ) p
  limit ${BATCH_SIZE}
),
expired as materialized (
  select id from deliveries_parked where shard = any ($1::smallint[]) and next_attempt_at <= now() order by next_attempt_at limit ${BATCH_SIZE}
),
unlocked as materialized (
  select id from deliveries_parked
  where id in (select id from free union select id from expired)
  order by id for update skip locked
),
released as (
  update deliveries d set next_attempt_at = null from unlocked
  where d.id = unlocked.id and d.status = 'pending' and d.next_attempt_at is not null
  returning d.destination_id
),
done as (
  delete from conversation_releases r using due
  where r.id = due.id and (select count(*) from free) < ${BATCH_SIZE}
    and not exists (select from free where free.release_id = due.id and free.id not in (select id from unlocked))
)
select (select count(*)::int from released) as count,
  (select coalesce(json_agg(distinct destination_id), '[]') from released) as "destinationIds",
  exists (select from deliveries_parked where shard = any ($1::smallint[])) as "hadParked"`;
