import type { HotPool } from '../../core/hot-pool.ts';
import { type InFlightDelivery, overdueMsOf } from './hand-over.ts';

/**
 * A destination moves in one statement of its pump, which holds the former shard's lease: from then on, new deliveries
 * enter the new shard, whose pump also reads the deliveries that wait under the former one. Neither pump needs to pause, and a
 * delivery that an older transaction still adds to the former shard keeps its place.
 */
export interface DestinationMove {
  readonly id: number;
  readonly toShard: number;
}

export interface MoveRequest {
  readonly shard: number;
  readonly fence: number;
  readonly moves: readonly DestinationMove[];
  /** Requests of the former pump. */
  readonly inFlight: readonly InFlightDelivery[];
  /** By then the requests have ended and their outcome is in the ledger, unless the process died. */
  readonly overdueMs: number;
}

/** Each claim of the new shard looks for deliveries of all of them. */
const MAX_MOVING = 200;
const MAX_LISTED = 1_000;

/** The shard of a destination among `count`. */
export const shardOfSql = (id: string, count: string): string => `mod(hashint8(${id})::bigint & 2147483647, ${count})`;

/** The shards under which deliveries of a destination wait: two while it moves. */
export const waitingShardsSql = (id: string): string => `(
  select shard from destinations where id = ${id}
  union all select former_shard from moving_destinations where destination_id = ${id})`;

export const hasWaitingSql = (id: string): string => `(
  exists (
    select from ${waitingShardsSql(id)} s cross join lateral (
      select from deliveries x where x.shard = s.shard and x.destination_id = ${id} and x.status = 'pending' limit 1) x)
  or exists (select from deliveries x where x.destination_id = ${id} and x.status = 'retrying'))`;

/** Returns destinations that belong to another shard with a pump. */
export async function listMoves(pool: HotPool, shard: number): Promise<DestinationMove[]> {
  const { rows } = await pool.query<DestinationMove>({
    name: 'list-moves',
    text: `
      select d.id, d.to_shard as "toShard"
      from installation i cross join lateral (
        select id, ${shardOfSql('id', 'i.target_shards')}::int as to_shard from destinations where shard = $1
      ) d
      where i.target_shards is not null and d.to_shard <> $1
        and not exists (select from moving_destinations m where m.destination_id = d.id)
        and exists (select from shard_leases l where l.shard = d.to_shard and l.expires_at > clock_timestamp())
      order by d.id
      limit (select greatest(${MAX_MOVING} - count(*), 0) * ${MAX_LISTED / MAX_MOVING} from moving_destinations where former_shard = $1)`,
    values: [shard],
  });
  return rows;
}

/**
 * Moves destinations under both leases, and publishes their requests in flight to the new pumps. Leaves out those that
 * another transaction has locked, and all of them if the lease is lost. Returns the ids of the moved ones.
 */
export async function moveDestinations(pool: HotPool, request: MoveRequest): Promise<number[]> {
  const { shard, fence, moves, inFlight, overdueMs } = request;
  const { rows } = await pool.query<{ id: number }>({
    name: 'move-destinations',
    text: moveSql,
    values: [
      ...[shard, fence, moves.map(({ id }) => id), moves.map(({ toShard }) => toShard)],
      inFlight.map(({ id }) => id),
      inFlight.map(({ destinationId }) => destinationId),
      inFlight.map(({ conversationKey }) => conversationKey),
      overdueMsOf(inFlight, overdueMs),
    ],
  });
  return rows.map(({ id }) => id);
}

/**
 * The lock on the former lease makes its next holder wait, and claim afterwards. The locks on the new ones conflict
 * with no renewal. Locked destinations are skipped, so that the leases are locked for milliseconds.
 */
const moveSql = `
with lease as materialized (
  select shard from shard_leases where shard = $1 and fence = $2 and expires_at > clock_timestamp() for share
),
asked as materialized (
  select * from unnest($3::bigint[], $4::smallint[]) as a (destination_id, to_shard)
),
served as materialized (
  select shard from shard_leases
  where shard in (select to_shard from asked) and expires_at > clock_timestamp()
  order by shard for key share
),
chosen as materialized (
  select dest.id, asked.to_shard
  from lease
  cross join asked
  join served on served.shard = asked.to_shard
  join destinations dest on dest.id = asked.destination_id
  where dest.shard = $1 and not exists (select from moving_destinations m where m.destination_id = dest.id)
  order by dest.id for no key update of dest skip locked
),
moved as (
  update destinations dest set shard = chosen.to_shard from chosen where dest.id = chosen.id
  returning dest.id, dest.shard
),
recorded as (
  insert into moving_destinations (destination_id, shard, former_shard) select id, shard, $1 from moved
),
published as (
  insert into handed_over_deliveries (delivery_id, shard, fence, destination_id, conversation_key, until_at, moved_to)
  select f.id, $1, $2, f.destination_id, f.conversation_key, clock_timestamp() + $8 * interval '1 millisecond', moved.shard
  from unnest($5::bigint[], $6::bigint[], $7::bigint[]) as f (id, destination_id, conversation_key)
  join moved on moved.id = f.destination_id
  on conflict (delivery_id) do update
    set shard = excluded.shard, fence = excluded.fence, until_at = excluded.until_at, moved_to = excluded.moved_to
),
of_former_pumps as (
  update handed_over_deliveries h set moved_to = moved.shard from moved
  where h.destination_id = moved.id and h.delivery_id <> all ($5::bigint[])
)
select id, pg_notify('deliveries', shard::text) from moved
`;

/** A destination that has moved into the shard, while deliveries may wait under its former shard. */
interface Arrival {
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
