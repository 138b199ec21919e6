import type { HotPool } from '../core/hot-pool.ts';
import { RECOVERY_RAMP_MS } from '../../contract/destinations/circuit.ts';
import { validSecretsSql, versionSql, voidAsSql } from './destinations/delivery-sql.ts';
import { handedOverCte, notHandedOverSql } from './shards/hand-over.ts';
import type { EventType } from '../../contract/event-types.ts';
import type { DestinationOptions } from '../../contract/destinations/options.ts';
import type { DestinationOrdering } from '../../contract/deliveries/status.ts';
import type { StoredBody } from '../core/body-box.ts';
import { eventBodyFromRow } from '../core/body-contexts.ts';

export interface Claim {
  readonly deliveries: ClaimedDelivery[];
  readonly destinations: ReadonlyMap<number, ClaimedDestination>;
  /** Destinations that may have more pending rows. */
  readonly fullDestinationIds: ReadonlySet<number>;
  readonly isCut: boolean;
  /** Destinations with deliveries behind held conversations, which the pump parks. */
  readonly heldDestinationIds: readonly number[];
}

export interface ClaimRequest {
  readonly shards: readonly number[];
  readonly heldIds: readonly number[];
  readonly room: ReadonlyMap<number, number>;
  /** Optional. Rows held by the destinations of `room`. Default: none. */
  readonly heldCounts?: ReadonlyMap<number, number>;
  readonly defaultRoom: number;
  readonly maxRows: number;
}

/**
 * Reads the next pending rows of each busy destination, oldest first. Writes nothing: the leases make the pump the only
 * reader of its shards, and rows stay pending until they are settled. Selects by status, never by "id above the last
 * one", because ids become visible out of order. Leaves out void deliveries (`endVoidDeliveries`).
 */
export async function claimDeliveries(pool: HotPool, request: ClaimRequest): Promise<Claim> {
  const { shards, heldIds, room, heldCounts, defaultRoom, maxRows } = request;
  const destinationIds = [...room.keys()];
  const { rows } = await pool.query<ClaimRow | HeldRow>({
    name: 'claim-deliveries',
    text: claimSql,
    values: [
      shards,
      heldIds,
      destinationIds,
      [...room.values()],
      destinationIds.map((id) => heldCounts?.get(id) ?? 0),
      defaultRoom,
      maxRows,
    ],
  });
  return toClaim(rows, request);
}

/** A destination whose first rows are all held has one row, without a delivery. */
type HeldRow = { id: null; destination_id: number };

interface ClaimRow extends Omit<DeliveryRow, 'body'> {
  rank: number;
  /** More than `rank` if rows behind held conversations come before. */
  looked: number;
  /** Null unless this is the destination's first row. */
  destination: ClaimedDestination | null;
  /** Null if those before it are as large as a claim may be, or without its event. */
  body: Buffer | null;
  has_event: boolean;
}

function toClaim(found: readonly (ClaimRow | HeldRow)[], request: ClaimRequest): Claim {
  const rows = found.filter((row) => row.id !== null);
  // One without its event, which no statement of the service makes, must not stop the others.
  const present = rows.filter((row) => row.has_event);
  const fitting = present.filter((row): row is ClaimRow & { body: Buffer } => row.body !== null);
  const deliveries: ClaimedDelivery[] = [];
  const counts = new Map<number, number>();
  const destinations = new Map(
    rows.flatMap((row) => (row.destination ? [[row.destination_id, row.destination] as const] : [])),
  );
  for (const row of fitting.toSorted((a, b) => a.id - b.id)) {
    counts.set(row.destination_id, (counts.get(row.destination_id) ?? 0) + 1);
    deliveries.push(toDelivery(row, destinations.get(row.destination_id)!));
  }
  const full = [...counts].filter(([id, count]) => count >= (request.room.get(id) ?? request.defaultRoom));
  const isCut = rows.length >= request.maxRows || fitting.length < present.length;
  const mayHaveMore = isCut ? [...counts.keys()] : full.map(([id]) => id);
  const held = found.filter((row) => row.id === null || row.looked > row.rank);
  const heldDestinationIds = [...new Set(held.map((row) => row.destination_id))];
  return { deliveries, destinations, fullDestinationIds: new Set(mayHaveMore), isCut, heldDestinationIds };
}

/** Rows behind held conversations that a claim reads per destination, until the pump has parked them. */
const HELD_ROWS_READ = 500;

/** Of the bodies that a statement reads. More would be under way at its time-out. */
export const MAX_CLAIM_BYTES = 8 * 1024 * 1024;

/** Longer than any wait between probes plus the adoption of a workflow. */
const ABANDONED_CIRCUIT_MS = 2 * 60_000;

/** Whether a claim may read the destination `dest` with its channel `c`. */
export const claimableSql = `((${voidAsSql}) is null and (dest.circuit = 'closed'
    or dest.circuit_probe_at < now() - ${ABANDONED_CIRCUIT_MS} * interval '1 millisecond'))`;

/** What is the same for all deliveries of the destination `dest` with its channel `c` and workspace `w`. */
export const claimedDestinationSql = `json_build_object('shard', dest.shard, 'version', ${versionSql('dest')} + ${versionSql('c')},
      'channelId', c.public_id, 'workspaceId', w.public_id, 'ordering', dest.ordering, 'url', dest.url,
      'sealedSecrets', ${validSecretsSql}, 'sendsTraceParent', dest.sends_trace_parent,
      'options', dest.options, 'sealedCredentials', dest.credentials_encrypted,
      'channelType', c.type, 'resourceId', c.resource_id,
      'recoveredForMs', case when dest.circuit_closed_at > now() - ${RECOVERY_RAMP_MS} * interval '1 millisecond'
        then extract(epoch from now() - dest.circuit_closed_at)::float8 * 1000 end)`;

/**
 * `busy` skips between destinations by index, so its cost does not depend on backlogs. Every destination gets its first
 * row before any gets its second, counting those it holds, so that backlogs cannot starve others. Rows behind an open
 * circuit are skipped until its probe is minutes overdue: Temporal is then unavailable, and the next rows are the probe.
 * Only the first row of a destination carries what is the same for all of them.
 * Without `offset 0` and `limit 1`, the planner would join all destinations and the whole events table. `octet_length` does not load the bodies. The first
 * body is returned also if it is larger.
 *
 * Pending rows with a next attempt are parked. A parked row blocks its conversation until it is returned.
 */
const claimSql = `
with recursive busy (shard, destination_id) as (
  select claimed.shard, (
    select d.destination_id from deliveries_waiting d
    where d.shard = claimed.shard and d.status = 'pending'
    order by d.destination_id limit 1)
  from unnest($1::int[]) as claimed (shard)
  union all
  select busy.shard, (select d.destination_id from deliveries_waiting d
          where d.shard = busy.shard and d.status = 'pending' and d.destination_id > busy.destination_id
          order by d.destination_id limit 1)
  from busy where busy.destination_id is not null
),
${handedOverCte.trim()},
free as materialized (
  select coalesce(r.room, $6::int) as room, coalesce(r.held, 0) as held_count, found.*
  from busy
  left join unnest($3::bigint[], $4::int[], $5::int[]) as r (destination_id, room, held)
    on r.destination_id = busy.destination_id
  cross join lateral (
    select dest.id as destination_id, dest.shard, dest.ordering, ${claimedDestinationSql} as destination,
      exists (select from conversation_holds h where h.destination_id = dest.id and h.until_at > now()) as has_holds,
      exists (select from deliveries_parked p where p.destination_id = dest.id) as has_parked
    from destinations dest
    join channels c on c.id = dest.channel_id
    join workspaces w on w.id = c.workspace_id
    where dest.id = busy.destination_id and dest.shard = busy.shard and ${claimableSql}
    offset 0
  ) found
  where busy.destination_id is not null and coalesce(r.room, $6::int) > 0
)
select picked.id, picked.rank, picked.looked, picked.event_id, picked.event_type, picked.destination_id,
  picked.destination, picked.conversation_key, picked.attempt_count, picked.created_at, picked.failed_in_schedule,
  case when coalesce(sum(octet_length(e.body)) over (
    order by picked.place, picked.id rows between unbounded preceding and 1 preceding), 0) < ${MAX_CLAIM_BYTES}
    then e.body end as body, e.body is not null as has_event,
  e.body_key_id, e.trace_parent, e.flags, e.event_conversation_key
from (
  select d.id, d.event_id, d.event_type, free.destination_id, case when d.rank = 1 then free.destination end as destination,
    d.conversation_key, d.attempt_count, coalesce(d.restarted_at, d.created_at) as created_at, d.failed_in_schedule,
    d.rank, d.looked, d.rank + free.held_count as place
  from free
  left join lateral (
    select d.*, row_number() over (order by d.id) as rank
    from (
      select d.*, row_number() over (order by d.id) as looked from (
        select d.* from deliveries_waiting d
        where d.shard = free.shard and d.status = 'pending' and d.destination_id = free.destination_id
          and d.id not in (select unnest($2::bigint[])) and ${notHandedOverSql('free.ordering')}
        order by d.id
        limit free.room + ${HELD_ROWS_READ}
      ) d
    ) d
    where free.ordering = 'none' or (
      (not free.has_holds or not exists (
        select from conversation_holds h
        where h.destination_id = d.destination_id and h.conversation_key = d.conversation_key
          and h.delivery_id < d.id and h.until_at > now()))
      and (not free.has_parked or not exists (
        select from deliveries_parked p
        where p.destination_id = d.destination_id and p.conversation_key = d.conversation_key and p.id < d.id)))
    order by d.id
    limit free.room
  ) d on true
  where d.id is not null or free.has_holds
  order by place, d.id
  limit $7
) picked
left join lateral (
  select body, body_key_id, trace_parent, flags, conversation_key as event_conversation_key from events
  where events.id = picked.event_id limit 1
) e on true
`;

export interface ClaimedDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  /** Optional. See `eventFlagsText`. Default: null. */
  readonly eventFlags?: string | null;
  readonly destinationId: number;
  readonly shard: number;
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
  | (
      | 'shard'
      | 'channelId'
      | 'workspaceId'
      | 'ordering'
      | 'url'
      | 'sealedSecrets'
      | 'recoveredForMs'
      | 'sendsTraceParent'
    )
  | ('options' | 'sealedCredentials')
> {
  readonly channelType: string;
  readonly resourceId: string;
  /** The sum of both `updated_at` in seconds: it differs after a change of the destination or its channel. */
  readonly version: number;
}

export function toDelivery(row: DeliveryRow, destination: ClaimedDestination): ClaimedDelivery {
  const { shard, channelId, workspaceId, ordering, recoveredForMs, url, sealedSecrets, sendsTraceParent } = destination;
  const { options, sealedCredentials } = destination;
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
    eventFlags: row.flags,
    destinationId: row.destination_id,
    shard,
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
