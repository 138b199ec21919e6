import { type DestinationOptions, timeoutMsOf } from '../../../contract/destinations/options.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { type HeldLease, LEASES_CHANGED } from './shard-leases.ts';

/**
 * A pump that gives up shards does not wait for its slowest request. It publishes what is in flight in the statement
 * that releases the leases. The next pump skips these deliveries and the rest of their conversations until the first
 * pump has settled them, or until they are overdue because it died.
 */
export interface HandOver {
  readonly holder: string;
  readonly leases: readonly HeldLease[];
  /** Of these shards. */
  readonly inFlight: readonly InFlightDelivery[];
  /** By then the requests have ended and their outcome is in the ledger, unless the process died. */
  readonly overdueMs: number;
}

export interface InFlightDelivery {
  readonly id: number;
  readonly shard: number;
  readonly destinationId: number;
  readonly conversationKey: number;
  /** Optional. The destination's own options. */
  readonly options?: Pick<DestinationOptions, 'timeoutSeconds'> | null;
}

/** From the end of a request until its outcome is in the ledger. */
export const SETTLE_MS = 10_000;

/** When all of these requests have ended and are settled, with at least the time of those without own options. */
export function overdueMsOf(inFlight: Iterable<InFlightDelivery>, leastMs: number): number {
  let overdueMs = leastMs;
  for (const { options } of inFlight) overdueMs = Math.max(overdueMs, (timeoutMsOf(options) ?? 0) + SETTLE_MS);
  return overdueMs;
}

/** Leaves out leases that are lost. */
export async function handOver(pool: HotPool, { holder, leases, inFlight, overdueMs }: HandOver): Promise<void> {
  await pool.query({
    name: 'hand-over',
    text: handOverSql,
    values: [
      holder,
      ...[leases.map(({ shard }) => shard), leases.map(({ fence }) => fence)],
      inFlight.map(({ id }) => id),
      inFlight.map(({ shard }) => shard),
      inFlight.map(({ destinationId }) => destinationId),
      inFlight.map(({ conversationKey }) => conversationKey),
      ...[overdueMsOf(inFlight, overdueMs), String(LEASES_CHANGED)],
    ],
  });
}

/** A released lease has no holder. Locks the leases in the order of those who acquire them. */
const handOverSql = `
with held as materialized (
  select l.shard from shard_leases l
  join unnest($2::smallint[], $3::bigint[]) as given (shard, fence) on given.shard = l.shard and given.fence = l.fence
  where l.holder = $1
  order by l.shard for update of l
),
released as (
  update shard_leases l set holder = '', released_at = clock_timestamp() from held where l.shard = held.shard
  returning l.shard, l.fence
),
published as (
  insert into handed_over_deliveries (delivery_id, shard, fence, destination_id, conversation_key, until_at)
  select f.id, r.shard, r.fence, f.destination_id, f.conversation_key, clock_timestamp() + $8 * interval '1 millisecond'
  from released r
  join unnest($4::bigint[], $5::smallint[], $6::bigint[], $7::bigint[]) as f (id, shard, destination_id, conversation_key)
    on f.shard = r.shard
  on conflict (delivery_id) do update
    set shard = excluded.shard, fence = excluded.fence, until_at = excluded.until_at
)
select pg_notify('deliveries', $9) from released limit 1`;

export interface HandedOver extends HeldLease {
  readonly id: number;
}

/** Lets the next pump claim the deliveries behind these. Call it once their outcome is in the ledger. */
export async function endHandOver(pool: HotPool, handedOver: readonly HandedOver[]): Promise<void> {
  await pool.query(
    `with ended as (
       delete from handed_over_deliveries h
       using unnest($1::bigint[], $2::smallint[], $3::bigint[]) as e (id, shard, fence)
       where h.delivery_id = e.id and h.shard = e.shard and h.fence = e.fence
       returning h.shard
     )
     select pg_notify('deliveries', string_agg(distinct shard::text, ',')) from ended having count(*) > 0`,
    [handedOver.map(({ id }) => id), handedOver.map(({ shard }) => shard), handedOver.map(({ fence }) => fence)],
  );
}

/** Returns how many deliveries were overdue for so long that their process has died. */
export async function deleteOverdueHandOvers(pool: HotPool): Promise<number> {
  const { rowCount } = await pool.query(
    "delete from handed_over_deliveries where until_at < clock_timestamp() - interval '1 minute'",
  );
  return rowCount ?? 0;
}

/** A CTE that belongs into a claim of the shards in `$1`: usually empty, so that `notHandedOverSql` costs nothing. */
export const handedOverCte = `
handed_over as materialized (
  select delivery_id, destination_id, conversation_key from handed_over_deliveries
  where shard = any ($1::int[]) and until_at > now()
)`;

/** A condition on the delivery `d`. Unordered destinations skip only the delivery itself. Hashes what may be long. */
export const notHandedOverSql = (orderingSql: string): string => `(
  d.id not in (select delivery_id from handed_over) and (${orderingSql} = 'none'
    or (d.destination_id, d.conversation_key) not in (select destination_id, conversation_key from handed_over)))`;

/** A condition on the delivery `d`: the pump of the attempt holds the lease, or has handed over the delivery and not yet settled it. */
export const underFenceSql = (attempt: string): string => `(
  exists (select from shard_leases where shard = ${attempt}.shard and fence = ${attempt}.fence)
  or exists (select from handed_over_deliveries h
    where h.delivery_id = d.id and h.shard = ${attempt}.shard and h.fence = ${attempt}.fence and h.until_at > now()))`;
