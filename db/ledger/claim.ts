import type { EventType } from '../../contract/event-types.ts';
import type { DestinationOptions } from '../../contract/destinations/options.ts';
import type { DestinationOrdering, SkipReason } from '../../contract/deliveries/status.ts';
import type { StoredBody } from '../core/body-box.ts';
import { eventBodyFromRow } from '../core/body-contexts.ts';
import { claimSql } from './claim-sql.ts';
import type { HotPool } from '../core/hot-pool.ts';

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
  /** Null if the event is not sampled. */
  readonly traceParent: string | null;
  readonly sendsTraceParent: boolean;
  /** Null if the destination has only defaults. */
  readonly options: DestinationOptions | null;
  /** `DestinationCredentials`, or null. */
  readonly sealedCredentials: string | null;
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
type HeldRow = { id: null; shard: number; destination_id: number };

interface ClaimRow {
  id: number;
  shard: number;
  rank: number;
  /** More than `rank` if rows behind held conversations come before. */
  looked: number;
  event_id: number;
  event_type: EventType;
  destination_id: number;
  /** Null unless this is the destination's first row. */
  destination: ClaimedDestination | null;
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

interface ClaimedDestination extends Pick<
  ClaimedDelivery,
  | ('channelId' | 'workspaceId' | 'ordering' | 'url' | 'sealedSecrets' | 'recoveredForMs' | 'sendsTraceParent')
  | ('options' | 'sealedCredentials')
> {
  readonly voidAs: 'cancelled' | SkipReason | null;
  readonly channelType: string;
  readonly resourceId: string;
}

function toClaim(found: readonly (ClaimRow | HeldRow)[], request: ClaimRequest): Claim {
  const rows = found.filter((row) => row.id !== null);
  const deliveries: ClaimedDelivery[] = [];
  const voided: VoidDelivery[] = [];
  const counts = new Map<number, number>();
  const destinations = new Map(
    rows.flatMap((row) => (row.destination ? [[row.destination_id, row.destination] as const] : [])),
  );
  for (const row of rows.toSorted((a, b) => a.id - b.id)) {
    counts.set(row.destination_id, (counts.get(row.destination_id) ?? 0) + 1);
    const destination = destinations.get(row.destination_id)!;
    if (destination.voidAs !== null) voided.push(toVoid(row, destination.voidAs));
    else deliveries.push(toDelivery(row, destination));
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

function toDelivery(row: ClaimRow, destination: ClaimedDestination): ClaimedDelivery {
  const { channelId, workspaceId, ordering, recoveredForMs, url, sealedSecrets, sendsTraceParent } = destination;
  const { options, sealedCredentials } = destination;
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.event_type,
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

function bodyOf(row: ClaimRow, { channelType, resourceId }: ClaimedDestination): StoredBody {
  const { body, body_key_id, event_type: eventType } = row;
  const conversationKey = row.event_conversation_key;
  return eventBodyFromRow({ body, body_key_id, place: { channelType, resourceId, eventType, conversationKey } });
}
