import {
  type ClaimedDelivery,
  type ClaimedDestination,
  type DeliveryRow,
  toDelivery,
  claimableSql,
  claimedDestinationSql,
  MAX_CLAIM_BYTES,
} from '../claim.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { MAX_BATCH_BYTES } from '../../../contract/deliveries/batch.ts';
import { MAX_BATCH_EVENTS } from '../../../contract/destinations/options.ts';
import { handedOverCte, notHandedOverSql } from '../shards/hand-over.ts';

/** What a pump sends of its debounced destinations. */
export interface DebouncedRequest {
  readonly shards: readonly number[];
  readonly heldIds: readonly number[];
  readonly destinations: readonly DebouncedDestination[];
  /** The last conversation may exceed it. */
  readonly maxRows: number;
}

export interface DebouncedDestination {
  readonly id: number;
  /** How many requests the pump may hold in addition. */
  readonly room: number;
  /** Optional. How many requests the pump holds. Default: none. */
  readonly heldCount?: number | undefined;
  /** The conversations of which the pump holds a request. */
  readonly busyKeys: readonly number[];
}

export interface DebouncedClaim {
  /** Each with those that follow it in its request. */
  readonly deliveries: ClaimedDelivery[];
  /** Those without a result are not debounced, may not be sent to, or are in another shard. */
  readonly destinations: readonly ScannedDestination[];
  /** Of the statement. */
  readonly durationMs: number;
}

export interface ScannedDestination {
  readonly id: number;
  /** Deliveries that the statement has read. */
  readonly scannedCount: number;
  /** Whether deliveries wait that no request in flight has, or that later ones must wait for. */
  readonly isWaiting: boolean;
  /** Whether deliveries behind held conversations hide others. */
  readonly isHidden: boolean;
  /** Whether more is due than the request had room for. */
  readonly isCut: boolean;
  /** Until the next conversation is due. Null without one. */
  readonly nextInMs: number | null;
}

/** Reads the conversations that are due, as one request each. Writes nothing: the windows follow from the rows. */
export async function claimDebounced(pool: HotPool, request: DebouncedRequest): Promise<DebouncedClaim> {
  const { shards, heldIds, destinations, maxRows } = request;
  const beganMs = performance.now();
  const { rows } = await pool.query<DebouncedRow | EmptyRow>({
    name: 'claim-debounced',
    text: debouncedSql,
    values: [
      shards,
      heldIds,
      destinations.map(({ id }) => id),
      destinations.map(({ room }) => room),
      destinations.map(({ busyKeys }) => `{${busyKeys.join()}}`),
      maxRows,
      destinations.map(({ heldCount = 0 }) => heldCount),
    ],
  });
  const durationMs = performance.now() - beganMs;
  const byDestination = [...Map.groupBy(rows, (row) => row.destination_id).values()];
  return { deliveries: byDestination.flatMap(toRequests), destinations: byDestination.map(toDestination), durationMs };
}

interface DestinationColumns {
  destination_id: number;
  /** Null unless this is the destination's first row. */
  destination: ClaimedDestination | null;
  scanned_count: number;
  open_count: number;
  due_count: number;
  next_in_ms: number | null;
  has_holds: boolean;
}

type DebouncedRow = DestinationColumns & DeliveryRow & { first_id: number };
/** A destination without a due conversation has one row. */
type EmptyRow = DestinationColumns & { id: null };

const isFound = (row: DebouncedRow | EmptyRow): row is DebouncedRow => row.id !== null;

function toRequests(rows: readonly (DebouncedRow | EmptyRow)[]): ClaimedDelivery[] {
  const { destination } = rows[0]!;
  const groups = Map.groupBy(rows.filter(isFound), (row) => row.first_id).values();
  return [...groups].map((group) => {
    const [first, ...following] = group.map((row) => toDelivery(row, destination!)) as [ClaimedDelivery];
    return { ...first, following };
  });
}

function toDestination(rows: readonly (DebouncedRow | EmptyRow)[]): ScannedDestination {
  const { destination_id, scanned_count, open_count, due_count, next_in_ms, has_holds } = rows[0]!;
  return {
    id: destination_id,
    scannedCount: scanned_count,
    isWaiting: scanned_count > 0 || has_holds,
    isHidden: scanned_count === MAX_SCANNED && open_count < scanned_count,
    isCut: rows.filter(isFound).length < due_count,
    nextInMs: next_in_ms,
  };
}

/** Waiting deliveries of a destination that one statement reads, oldest first. */
const MAX_SCANNED = 2_000;

/**
 * `open` are the deliveries that may be sent: of an ordered destination, none behind a request in flight, a parked
 * delivery, or a hold, unless the delivery that holds is read as well and therefore comes before.
 *
 * A group is what one request may carry: the open deliveries of a conversation, or one delivery without a conversation,
 * whose key is 0 for the whole channel and negative for a replay. It is due when the first of them has waited for the
 * destination's seconds or when they fill a request. A delivery without a conversation is due at once.
 *
 * A size costs the look-up of an event. It is read only if it decides whether a group is due or how much of it is sent.
 *
 * A request that has failed twice is halved, and again after each further failure: one event that the receiver rejects
 * must not take those of its request along to the end of the schedule.
 *
 * As in a claim, every destination gets its first request before any gets its second, counting those it holds.
 *
 * Window functions instead of joins, because the planner knows no sizes of common table expressions.
 */
const debouncedSql = `
with ${handedOverCte.trim()},
dest as materialized (
  select dest.id, asked.room, asked.held_count, dest.ordering, dest.shard, asked.busy::bigint[] as busy,
    (dest.options #>> '{debounce,seconds}')::int * interval '1 second' as span,
    coalesce((dest.options #>> '{debounce,maxEvents}')::int, ${MAX_BATCH_EVENTS}) as max_events,
    exists (select from conversation_holds h where h.destination_id = dest.id and h.until_at > now()) as has_holds,
    exists (select from deliveries_parked p where p.destination_id = dest.id) as has_parked,
    ${claimedDestinationSql} as destination
  from unnest($3::bigint[], $4::int[], $5::text[], $7::int[]) as asked (destination_id, room, busy, held_count)
  join destinations dest on dest.id = asked.destination_id and dest.shard = any ($1::int[])
  join channels c on c.id = dest.channel_id
  join workspaces w on w.id = c.workspace_id
  where dest.options ? 'debounce' and ${claimableSql}
),
scanned as materialized (
  select dest.id as destination_id, dest.room, dest.held_count, dest.ordering, dest.busy, dest.span, dest.max_events,
    dest.has_holds, dest.has_parked, d.*,
    case when d.conversation_key > 0 then d.conversation_key else -d.id end as group_key
  from dest cross join lateral (
    select d.id, d.event_id, d.conversation_key, d.created_at, d.failed_in_schedule as failed_times
    from deliveries_waiting d
    where d.shard = dest.shard and d.status = 'pending' and d.destination_id = dest.id
      and d.id not in (select unnest($2::bigint[])) and ${notHandedOverSql('dest.ordering')}
    order by d.id limit ${MAX_SCANNED}
  ) d
),
open as (
  select s.*, row_number() over (partition by s.destination_id, s.group_key order by s.id) as place,
    count(*) over of_group as waiting, min(s.id) over of_group as first_id, min(s.created_at) over of_group as opened_at,
    max(s.failed_times) over of_group as most_failed
  from scanned s
  where s.ordering = 'none' or (
    s.conversation_key <> all (s.busy)
    and (not s.has_holds or not exists (
      select from conversation_holds h
      where h.destination_id = s.destination_id and h.conversation_key = s.conversation_key and h.delivery_id < s.id
        and h.until_at > now() and h.delivery_id not in (select id from scanned)))
    and (not s.has_parked or not exists (
      select from deliveries_parked p
      where p.destination_id = s.destination_id and p.conversation_key = s.conversation_key and p.id < s.id)))
  window of_group as (partition by s.destination_id, s.group_key)
),
ripe as (
  select open.*, conversation_key <= 0 or opened_at + span <= now() or waiting >= max_events as is_ripe,
    case when most_failed < 2 then max_events else (1 + count(*) filter (where failed_times = most_failed)
      over (partition by destination_id, group_key)) / 2 end as most_events
  from open
),
weighed as materialized (
  select r.*, case when waiting > 1 and place <= most_events and (not is_ripe or least_turn <= room) then
    (select octet_length(body) from events where events.id = r.event_id limit 1) end as bytes
  from (select ripe.*, dense_rank() over (partition by destination_id, is_ripe order by first_id) as least_turn from ripe) r
),
judged as materialized (
  select weighed.*,
    is_ripe or coalesce(sum(bytes) over (partition by destination_id, group_key) >= ${MAX_BATCH_BYTES}, false) as is_due,
    coalesce(sum(bytes) over (partition by destination_id, group_key order by id), 0) as bytes_so_far
  from weighed
),
due as (
  select *, dense_rank() over (partition by destination_id order by first_id) as turn
  from judged where is_due and place <= most_events and (place = 1 or bytes_so_far <= ${MAX_BATCH_BYTES})
),
fitting as (
  select *, row_number() over (order by turn + held_count, first_id, id) - place as count_before
  from due where turn <= room
),
sized as (
  select due.*, d.event_type, d.attempt_count, d.failed_in_schedule, coalesce(d.restarted_at, d.created_at) as began_at,
    e.body, e.body_key_id, e.trace_parent, e.flags, e.conversation_key as event_conversation_key,
    sum(octet_length(e.body)) over (order by due.count_before groups between unbounded preceding and 1 preceding) as bytes_before
  from fitting due join deliveries d on d.id = due.id and d.status = 'pending'
  left join lateral (
    select body, body_key_id, trace_parent, flags, conversation_key from events where events.id = due.event_id limit 1
  ) e on true
  where due.count_before < $6::int
),
found as (
  select *, row_number() over (partition by destination_id order by first_id, id) as rank
  from sized where bytes_before is null or bytes_before < ${MAX_CLAIM_BYTES}
),
scans as (select destination_id, count(*)::int as scanned_count from scanned group by destination_id),
waits as (
  select destination_id, count(*)::int as open_count, count(*) filter (where is_due)::int as due_count,
    min(extract(epoch from opened_at + span - now())::float8 * 1000) filter (where not is_due) as next_in_ms
  from judged group by destination_id
)
select dest.id as destination_id, case when coalesce(found.rank, 1) = 1 then dest.destination end as destination,
  found.id, found.first_id, found.event_id, found.conversation_key, found.event_type, found.attempt_count,
  found.failed_in_schedule, found.began_at as created_at, found.body, found.body_key_id, found.trace_parent,
  found.flags,
  found.event_conversation_key, coalesce(scanned_count, 0) as scanned_count, coalesce(open_count, 0) as open_count,
  coalesce(due_count, 0) as due_count, next_in_ms, dest.has_holds
from dest
left join scans on scans.destination_id = dest.id
left join waits on waits.destination_id = dest.id
left join found on found.destination_id = dest.id
order by dest.id, found.first_id, found.id
`;
