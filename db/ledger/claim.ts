import type { HotPool } from '../core/hot-pool.ts';
import { RECOVERY_RAMP_MS } from '../../contract/destinations/circuit.ts';
import { validSecretsSql, voidAsSql } from './destinations/delivery-sql.ts';
import { handedOverCte, notHandedOverSql } from './shards/hand-over.ts';
import type { EventType } from '../../contract/event-types.ts';
import type { DestinationOptions } from '../../contract/destinations/options.ts';
import type { DestinationOrdering } from '../../contract/deliveries/status.ts';
import type { StoredBody } from '../core/body-box.ts';
import { eventBodyFromRow } from '../core/body-contexts.ts';

export interface Claim {
  readonly deliveries: ClaimedDelivery[];
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
 * above the last one", because ids become visible out of order. Leaves out void deliveries (`endVoidDeliveries`).
 */
export async function claimDeliveries(pool: HotPool, requests: readonly ClaimRequest[]): Promise<Claim[]> {
  const rooms = requests.flatMap(({ shard, room, heldCounts }) =>
    Array.from(room, ([id, rows]) => ({ shard, id, rows, heldCount: heldCounts?.get(id) ?? 0 })),
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
      rooms.map(({ shard }) => shard),
    ],
  });
  const found = Map.groupBy(rows, ({ shard }) => shard);
  return requests.map((request) => toClaim(found.get(request.shard) ?? [], request));
}

/** A destination whose first rows are all held has one row, without a delivery. */
type HeldRow = { id: null; shard: number; destination_id: number; row_count: number };

interface ClaimRow extends DeliveryRow {
  shard: number;
  /** Of the shard, with those that were left because of their size. */
  row_count: number;
  rank: number;
  /** More than `rank` if rows behind held conversations come before. */
  looked: number;
  /** Null unless this is the destination's first row. */
  destination: ClaimedDestination | null;
}

function toClaim(found: readonly (ClaimRow | HeldRow)[], request: ClaimRequest): Claim {
  const rows = found.filter((row) => row.id !== null);
  const deliveries: ClaimedDelivery[] = [];
  const counts = new Map<number, number>();
  const destinations = new Map(
    rows.flatMap((row) => (row.destination ? [[row.destination_id, row.destination] as const] : [])),
  );
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    counts.set(row.destination_id, (counts.get(row.destination_id) ?? 0) + 1);
    deliveries.push(toDelivery(row, destinations.get(row.destination_id)!));
  }
  const full = [...counts].filter(([id, count]) => count >= (request.room.get(id) ?? request.defaultRoom));
  const isCut = rows.length >= request.maxRows || found.length < (found[0]?.row_count ?? 0);
  const mayHaveMore = isCut ? [...counts.keys()] : full.map(([id]) => id);
  const held = found.filter((row) => row.id === null || row.looked > row.rank);
  const heldDestinationIds = [...new Set(held.map((row) => row.destination_id))];
  return { deliveries, fullDestinationIds: new Set(mayHaveMore), isCut, heldDestinationIds };
}

/** Rows behind held conversations that a claim reads per destination, until the pump has parked them. */
const HELD_ROWS_READ = 500;

/** Of the bodies that a statement reads, in equal shares of its shards. More would be under way at its time-out. */
export const MAX_CLAIM_BYTES = 8 * 1024 * 1024;

/** Longer than any wait between probes plus the adoption of a workflow. */
const ABANDONED_CIRCUIT_MS = 2 * 60_000;

/** Whether a claim may read the destination `dest` with its channel `c`. */
export const claimableSql = `((${voidAsSql}) is null and (dest.circuit = 'closed'
    or dest.circuit_probe_at < now() - ${ABANDONED_CIRCUIT_MS} * interval '1 millisecond'))`;

/** What is the same for all deliveries of the destination `dest` with its channel `c` and workspace `w`. */
export const claimedDestinationSql = `json_build_object('channelId', c.public_id, 'workspaceId', w.public_id, 'ordering', dest.ordering, 'url', dest.url,
      'sealedSecrets', ${validSecretsSql}, 'sendsTraceParent', dest.sends_trace_parent,
      'options', dest.options, 'sealedCredentials', dest.credentials_encrypted,
      'channelType', c.type, 'resourceId', c.resource_id,
      'recoveredForMs', case when dest.circuit_closed_at > now() - ${RECOVERY_RAMP_MS} * interval '1 millisecond'
        then extract(epoch from now() - dest.circuit_closed_at)::float8 * 1000 end)`;

const readySql = (shard: string): string => `(
      select d.* from deliveries d
      where ${shard} and d.status = 'pending' and d.next_attempt_at is null and d.destination_id = free.destination_id
        and d.id not in (select unnest($2::bigint[])) and ${notHandedOverSql('free.ordering')}
      order by d.id
      limit free.room + ${HELD_ROWS_READ})`;

/**
 * `busy` skips between destinations by index, so its cost does not depend on backlogs. Every destination gets its first
 * row before any gets its second, counting those it holds, so that backlogs cannot starve others. Rows behind an open
 * circuit are skipped until its probe is minutes overdue: Temporal is then unavailable, and the next rows are the probe.
 * Only the first row of a destination carries what is the same for all of them.
 * Without `limit 1`, the planner would join the whole events table. `octet_length` does not load the bodies. The first
 * row of each shard is returned also if it is larger, and `row_count` tells that others were left.
 *
 * Pending rows with a next attempt are parked. A parked row blocks its conversation until it is returned.
 *
 * A destination that has arrived from another shard is read from both. One that has left is the other pump's.
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
arrived as materialized (
  select shard, destination_id, former_shard from moving_destinations where shard = any ($1::int[])
),
free as materialized (
  select claimed.shard, claimed.max_rows, dest.id as destination_id, dest.ordering, arrived.former_shard,
    coalesce(r.room, claimed.default_room) as room, coalesce(r.held, 0) as held_count,
    ${claimedDestinationSql} as destination,
    exists (select from conversation_holds h where h.destination_id = dest.id and h.until_at > now()) as has_holds
  from (select shard, destination_id from busy union select shard, destination_id from arrived) busy
  join claimed using (shard)
  join destinations dest on dest.id = busy.destination_id and dest.shard = busy.shard
  left join arrived on arrived.destination_id = dest.id
  join channels c on c.id = dest.channel_id
  join workspaces w on w.id = c.workspace_id
  left join unnest($3::bigint[], $4::int[], $7::int[], $8::int[]) as r (destination_id, room, held, shard)
    on r.destination_id = dest.id and r.shard = dest.shard
  where coalesce(r.room, claimed.default_room) > 0 and ${claimableSql}
)
select id, shard, rank, looked, event_id, event_type, destination_id, destination, conversation_key, attempt_count,
  created_at, failed_in_schedule, body, body_key_id, trace_parent, flags, event_conversation_key, row_count
from (
select picked.*, e.*, sum(octet_length(e.body)) over (
    partition by picked.shard order by picked.place, picked.id rows between unbounded preceding and 1 preceding) as bytes_before
from (
select d.id, free.shard, d.event_id, d.event_type, free.destination_id, case when d.rank = 1 then free.destination end as destination,
  d.conversation_key, d.attempt_count, coalesce(d.restarted_at, d.created_at) as created_at, d.failed_in_schedule, d.rank, d.looked, free.max_rows,
  d.place, row_number() over (partition by free.shard order by d.place, d.id) as turn,
  least(count(*) over (partition by free.shard), free.max_rows)::int as row_count
from free
left join lateral (
  select d.*, row_number() over (order by d.id) as rank, row_number() over (order by d.id) + free.held_count as place
  from (
    select d.*, row_number() over (order by d.id) as looked from (
      ${readySql('d.shard = free.shard')} union all ${readySql('free.former_shard is not null and d.shard = free.former_shard')}
    ) d
    order by d.id
    limit free.room + ${HELD_ROWS_READ}
  ) d
  where free.ordering = 'none' or (
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
  select body, body_key_id, trace_parent, flags, conversation_key as event_conversation_key from events
  where events.id = picked.event_id limit 1
) e on true
where picked.turn <= picked.max_rows
) sized
where bytes_before is null or bytes_before < ${MAX_CLAIM_BYTES} / cardinality($1::int[])
`;

export interface ClaimedDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  /** Optional. See `eventFlagsText`. Default: null. */
  readonly eventFlags?: string | null;
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
  /** Null if the event is not sampled. */
  readonly traceParent: string | null;
  readonly sendsTraceParent: boolean;
  /** Null if the destination has only defaults. */
  readonly options: DestinationOptions | null;
  /** `DestinationCredentials`, or null. */
  readonly sealedCredentials: string | null;
  /** Optional. Further deliveries of the conversation in the same request. Default: the destination is not debounced. */
  readonly following?: readonly ClaimedDelivery[];
}

export interface DeliveryRow {
  id: number;
  event_id: number;
  event_type: EventType;
  flags: string | null;
  destination_id: number;
  conversation_key: number;
  attempt_count: number;
  created_at: Date;
  failed_in_schedule: number;
  body: Buffer;
  body_key_id: string | null;
  trace_parent: string | null;
  /** A replayed delivery has another key than its event. */
  event_conversation_key: number;
}

export interface ClaimedDestination extends Pick<
  ClaimedDelivery,
  | ('channelId' | 'workspaceId' | 'ordering' | 'url' | 'sealedSecrets' | 'recoveredForMs' | 'sendsTraceParent')
  | ('options' | 'sealedCredentials')
> {
  readonly channelType: string;
  readonly resourceId: string;
}

export function toDelivery(row: DeliveryRow, destination: ClaimedDestination): ClaimedDelivery {
  const { channelId, workspaceId, ordering, recoveredForMs, url, sealedSecrets, sendsTraceParent } = destination;
  const { options, sealedCredentials } = destination;
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    eventFlags: row.flags,
    destinationId: row.destination_id,
    channelId,
    workspaceId,
    conversationKey: row.conversation_key,
    ordering,
    attemptCount: row.attempt_count,
    acceptedAtMs: row.created_at.getTime(),
    failedInSchedule: row.failed_in_schedule,
    recoveredForMs,
    url,
    sealedSecrets,
    body: bodyOf(row, destination),
    traceParent: row.trace_parent,
    sendsTraceParent,
    options,
    sealedCredentials,
  };
}

function bodyOf(row: DeliveryRow, { channelType, resourceId }: ClaimedDestination): StoredBody {
  const { body, body_key_id, event_type: eventType } = row;
  const conversationKey = row.event_conversation_key;
  return eventBodyFromRow({ body, body_key_id, place: { channelType, resourceId, eventType, conversationKey } });
}
