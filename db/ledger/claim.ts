import { RECOVERY_RAMP_MS } from '../../contract/destinations/circuit.ts';
import type { EventType } from '../../contract/event-types.ts';
import type { DestinationOrdering, SkipReason } from '../../contract/deliveries/status.ts';
import type { StoredBody } from '../core/body-box.ts';
import { eventBodyFromRow } from '../core/body-contexts.ts';
import { validSecretsSql, voidAsSql } from './destinations/delivery-sql.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { handedOverCte, notHandedOverSql } from './hand-over.ts';

export interface ClaimedDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  readonly destinationId: number;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly conversationKey: number;
  readonly ordering: DestinationOrdering;
  readonly attemptCount: number;
  readonly acceptedAtMs: number;
  readonly failedInSchedule: number;
  /** Null outside the recovery ramp. */
  readonly recoveredForMs: number | null;
  readonly url: string;
  readonly sealedSecrets: readonly string[];
  readonly body: StoredBody;
}

/** A delivery to end without an attempt. */
export interface VoidDelivery {
  readonly id: number;
  readonly destinationId: number;
  readonly end: { readonly status: 'cancelled' } | { readonly status: 'skipped'; readonly reason: SkipReason };
}

export interface Claim {
  readonly deliveries: ClaimedDelivery[];
  readonly voided: VoidDelivery[];
  /** Destinations that may have more pending rows. */
  readonly fullDestinationIds: ReadonlySet<number>;
  readonly isCut: boolean;
  /** Destinations with deliveries behind held conversations, which the pump parks. */
  readonly heldDestinationIds: readonly number[];
}

export interface ClaimRequest {
  readonly shard: number;
  readonly heldIds: readonly number[];
  readonly room: ReadonlyMap<number, number>;
  /** Optional. Rows held by the destinations of `room`. Default: none. */
  readonly heldCounts?: ReadonlyMap<number, number>;
  readonly defaultRoom: number;
  readonly maxRows: number;
}

/**
 * Reads the next pending rows of each busy destination, oldest first, for one shard by each request. Writes nothing: the
 * lease makes the pump the only reader, and rows stay pending until they are settled. Selects by status, never by "id
 * above the last one", because ids become visible out of order.
 */
export async function claimDeliveries(pool: HotPool, requests: readonly ClaimRequest[]): Promise<Claim[]> {
  const rooms = requests.flatMap(({ room, heldCounts }) =>
    Array.from(room, ([id, rows]) => ({ id, rows, heldCount: heldCounts?.get(id) ?? 0 })),
  );
  const { rows } = await pool.query<ClaimRow | HeldRow>({
    name: 'claim-deliveries',
    text: claimSql,
    values: [
      requests.map(({ shard }) => shard),
      requests.flatMap(({ heldIds }) => heldIds),
      rooms.map(({ id }) => id),
      rooms.map(({ rows: room }) => room),
      requests.map(({ defaultRoom }) => defaultRoom),
      requests.map(({ maxRows }) => maxRows),
      rooms.map(({ heldCount }) => heldCount),
    ],
  });
  const found = Map.groupBy(rows, ({ shard }) => shard);
  return requests.map((request) => toClaim(found.get(request.shard) ?? [], request));
}

/** A destination whose first rows are all held has one row, without a delivery. */
interface HeldRow {
  id: null;
  shard: number;
  destination_id: number;
}

interface ClaimRow {
  id: number;
  shard: number;
  rank: number;
  /** More than `rank` if rows behind held conversations come before. */
  looked: number;
  event_id: number;
  event_type: EventType;
  destination_id: number;
  channel_public_id: string;
  workspace_public_id: string;
  conversation_key: number;
  ordering: DestinationOrdering;
  attempt_count: number;
  created_at: Date;
  failed_in_schedule: number;
  recovered_for_ms: number | null;
  url: string;
  void_as: 'cancelled' | SkipReason | null;
  secrets: string[];
  channel_type: string;
  resource_id: string;
  body: Buffer;
  body_key_id: string | null;
  /** A replayed delivery has another key than its event. */
  event_conversation_key: number;
}

function toClaim(found: readonly (ClaimRow | HeldRow)[], request: ClaimRequest): Claim {
  const rows = found.filter((row) => row.id !== null);
  const deliveries: ClaimedDelivery[] = [];
  const voided: VoidDelivery[] = [];
  const counts = new Map<number, number>();
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    counts.set(row.destination_id, (counts.get(row.destination_id) ?? 0) + 1);
    if (row.void_as !== null) voided.push(toVoid(row, row.void_as));
    else deliveries.push(toDelivery(row));
  }
  const full = [...counts].filter(([id, count]) => count >= (request.room.get(id) ?? request.defaultRoom));
  const isCut = rows.length >= request.maxRows;
  const mayHaveMore = isCut ? [...counts.keys()] : full.map(([id]) => id);
  const held = found.filter((row) => row.id === null || row.looked > row.rank);
  const heldDestinationIds = [...new Set(held.map((row) => row.destination_id))];
  return { deliveries, voided, fullDestinationIds: new Set(mayHaveMore), isCut, heldDestinationIds };
}

function toVoid(row: ClaimRow, voidAs: 'cancelled' | SkipReason): VoidDelivery {
  const end = voidAs === 'cancelled' ? { status: voidAs } : { status: 'skipped' as const, reason: voidAs };
  return { id: row.id, destinationId: row.destination_id, end };
}

function toDelivery(row: ClaimRow): ClaimedDelivery {
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    destinationId: row.destination_id,
    channelId: row.channel_public_id,
    workspaceId: row.workspace_public_id,
    conversationKey: row.conversation_key,
    ordering: row.ordering,
    attemptCount: row.attempt_count,
    acceptedAtMs: row.created_at.getTime(),
    failedInSchedule: row.failed_in_schedule,
    recoveredForMs: row.recovered_for_ms,
    url: row.url,
    sealedSecrets: row.secrets,
    body: bodyOf(row),
  };
}

function bodyOf(row: ClaimRow): StoredBody {
  const { body, body_key_id, channel_type: channelType, resource_id: resourceId, event_type: eventType } = row;
  const conversationKey = row.event_conversation_key;
  return eventBodyFromRow({ body, body_key_id, place: { channelType, resourceId, eventType, conversationKey } });
}

/** Rows behind held conversations that a claim reads per destination, until the pump has parked them. */
const HELD_ROWS_READ = 500;
/** Longer than any wait between probes plus the adoption of a workflow. */
const ABANDONED_CIRCUIT_MS = 2 * 60_000;
/**
 * `busy` skips between destinations by index, so its cost does not depend on backlogs. Every destination gets its first
 * row before any gets its second, counting those it holds, so that backlogs cannot starve others. Rows behind an open
 * circuit are skipped, unless void, until its probe is minutes overdue: Temporal is then unavailable, and the next rows
 * are the probe.
 * Without `limit 1`, the planner would join the whole events table.
 *
 * Pending rows with a next attempt are parked. A parked row blocks its conversation until it is returned.
 */
const claimSql = `
with recursive claimed (shard, default_room, max_rows) as materialized (
  select * from unnest($1::int[], $5::int[], $6::int[])
),
busy (shard, destination_id) as (
  select claimed.shard, (
    select d.destination_id from deliveries d
    where d.shard = claimed.shard and d.status = 'pending' and d.next_attempt_at is null
    order by d.destination_id limit 1)
  from claimed
  union all
  select busy.shard, (select d.destination_id from deliveries d
          where d.shard = busy.shard and d.status = 'pending' and d.next_attempt_at is null
            and d.destination_id > busy.destination_id
          order by d.destination_id limit 1)
  from busy where busy.destination_id is not null
),
${handedOverCte.trim()},
free as materialized (
  select claimed.shard, claimed.max_rows, dest.id as destination_id, dest.ordering, dest.url, dest.circuit,
    case when dest.circuit_closed_at > now() - ${RECOVERY_RAMP_MS} * interval '1 millisecond'
      then extract(epoch from now() - dest.circuit_closed_at)::float8 * 1000 end as recovered_for_ms,
    c.public_id as channel_public_id, c.type as channel_type, c.resource_id, w.public_id as workspace_public_id,
    coalesce(r.room, claimed.default_room) as room, coalesce(r.held, 0) as held_count,
    ${voidAsSql} as void_as,
    ${validSecretsSql} as secrets,
    exists (select from conversation_holds h where h.destination_id = dest.id and h.until_at > now()) as has_holds
  from busy
  join claimed using (shard)
  join destinations dest on dest.id = busy.destination_id
  join channels c on c.id = dest.channel_id
  join workspaces w on w.id = c.workspace_id
  left join unnest($3::bigint[], $4::int[], $7::int[]) as r (destination_id, room, held) on r.destination_id = dest.id
  where coalesce(r.room, claimed.default_room) > 0 and (dest.circuit = 'closed' or (${voidAsSql}) is not null
    or dest.circuit_probe_at < now() - ${ABANDONED_CIRCUIT_MS} * interval '1 millisecond')
)
select picked.*, e.body, e.body_key_id, e.conversation_key as event_conversation_key
from (
select d.id, free.shard, d.event_id, d.event_type, free.destination_id, free.channel_public_id, free.workspace_public_id,
  d.conversation_key, free.ordering, d.attempt_count, d.created_at, d.failed_in_schedule, free.recovered_for_ms, free.url,
  free.void_as, free.secrets, free.channel_type, free.resource_id, d.rank, d.looked,
  free.max_rows, row_number() over (partition by free.shard order by d.place, d.id) as turn
from free
left join lateral (
  select d.*, row_number() over (order by d.id) as rank, row_number() over (order by d.id) + free.held_count as place
  from (
    select d.*, row_number() over (order by d.id) as looked from deliveries d
    where d.shard = free.shard and d.status = 'pending' and d.next_attempt_at is null
      and d.destination_id = free.destination_id and d.id not in (select unnest($2::bigint[]))
      and ${notHandedOverSql('free.ordering')}
    order by d.id
    limit free.room + ${HELD_ROWS_READ}
  ) d
  where free.void_as is not null or free.ordering = 'none' or (
    not exists (
      select from conversation_holds h
      where h.destination_id = d.destination_id and h.conversation_key = d.conversation_key
        and h.delivery_id < d.id and h.until_at > now())
    and not exists (
      select from deliveries_parked p
      where p.destination_id = d.destination_id and p.conversation_key = d.conversation_key and p.id < d.id))
  order by d.id
  limit free.room
) d on true
where d.id is not null or free.has_holds
order by free.shard, d.place, d.id
) picked
left join lateral (
  select body, body_key_id, conversation_key from events where events.id = picked.event_id limit 1
) e on true
where picked.turn <= picked.max_rows
`;
