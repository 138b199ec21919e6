import { type DestinationOptions, timeoutMsOf } from '../../../contract/destinations/options.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { LEASES_CHANGED } from './shard-leases.ts';

/**
 * A pump that gives up its shard does not wait for its slowest request. It publishes what is in flight in the statement
 * that releases the lease. The next pump skips these deliveries and the rest of their conversations until the first
 * pump has settled them, or until they are overdue because it died.
 */
export interface HandOver {
  readonly shard: number;
  readonly holder: string;
  readonly fence: number;
  readonly inFlight: readonly InFlightDelivery[];
  /** By then the request has ended and its outcome is in the ledger, unless the process died. */
  readonly overdueMs: number;
}

export interface InFlightDelivery {
  readonly id: number;
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

/**
 * Returns false, and publishes nothing, if the lease is lost or released. A released lease has no holder, so that a
 * renewal under way does not extend it.
 */
export async function handOver(
  pool: HotPool,
  { shard, holder, fence, inFlight, overdueMs }: HandOver,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with released as (
       update shard_leases set holder = '', expires_at = clock_timestamp()
       where shard = $1 and holder = $2 and fence = $3
       returning shard, fence
     ),
     published as (
       insert into handed_over_deliveries (delivery_id, shard, fence, destination_id, conversation_key, until_at)
       select f.id, r.shard, r.fence, f.destination_id, f.conversation_key,
         clock_timestamp() + $7 * interval '1 millisecond'
       from released r, unnest($4::bigint[], $5::bigint[], $6::bigint[]) as f (id, destination_id, conversation_key)
       on conflict (delivery_id) do update
         set shard = excluded.shard, fence = excluded.fence, until_at = excluded.until_at
     )
     select pg_notify('deliveries', $8) from released`,
    [
      ...[shard, holder, fence],
      inFlight.map(({ id }) => id),
      inFlight.map(({ destinationId }) => destinationId),
      inFlight.map(({ conversationKey }) => conversationKey),
      ...[overdueMsOf(inFlight, overdueMs), String(LEASES_CHANGED)],
    ],
  );
  return rowCount === 1;
}

/** Lets the next pump claim the deliveries behind these. Call it once their outcome is in the ledger. */
export async function endHandOver(
  pool: HotPool,
  { shard, fence, ids }: { shard: number; fence: number; ids: readonly number[] },
): Promise<void> {
  await pool.query(
    `with ended as (
       delete from handed_over_deliveries where delivery_id = any ($1::bigint[]) and fence = $2 and shard = $3
       returning coalesce(moved_to, shard) as shard
     )
     select pg_notify('deliveries', shard::text) from ended group by shard`,
    [ids, fence, shard],
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
  where (shard = any ($1::int[]) or moved_to = any ($1::int[])) and until_at > now()
)`;

/** A condition on the delivery `d`. Unordered destinations skip only the delivery itself. */
export const notHandedOverSql = (orderingSql: string): string => `not exists (
  select from handed_over h
  where h.delivery_id = d.id or (${orderingSql} <> 'none'
    and h.destination_id = d.destination_id and h.conversation_key = d.conversation_key))`;

/** A condition on the delivery `d`: the pump holds the lease, or has handed over the delivery and not yet settled it. */
export const underFenceSql = ({ shard, fence }: { readonly shard: string; readonly fence: string }): string => `(
  exists (select from shard_leases where shard = ${shard} and fence = ${fence})
  or exists (select from handed_over_deliveries h
    where h.delivery_id = d.id and h.shard = ${shard} and h.fence = ${fence} and h.until_at > now()))`;
