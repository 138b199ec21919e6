import pg from 'pg';
import type { EventType, ChannelType } from '../../contract/event-types.ts';
import { bodyContexts } from '../core/body-contexts.ts';
import type { BodyBox } from '../core/body-box.ts';
import { type DeliveryOffer, MAX_BEFORE } from './offers/delivery-offer.ts';
import { LISTENER_SHARD } from './destinations/destinations.ts';
import { packBytes, type HotPool } from '../core/hot-pool.ts';
import { retryRaces } from '../core/retry-races.ts';
import { versionSql } from './destinations/delivery-sql.ts';
import { receivesEventsSql } from './destinations/kept-urls.ts';

export interface AcceptItem {
  /** Null if unknown; the item is then kept for staff. */
  readonly channelType: ChannelType | null;
  readonly resourceId: string | null;
  readonly eventType: EventType | null;
  /** 48-bit hash of the conversation. */
  readonly conversationKey: number;
  readonly sender: string | null;
  /** Optional. All ids of the person; the sender's first if the person sent it. Default: the sender's. */
  readonly personIds?: readonly string[] | null;
  /** Optional. The header that tells echoes and deleted messages. Default: null. */
  readonly eventFlags?: string | null;
  readonly platformMessageId: string | null;
  /** 128-bit hash in hex; equal keys are duplicates. */
  readonly key: string;
  readonly body: Uint8Array;
  /** Optional. The trace of a sampled event. */
  readonly traceParent?: string | null;
}

export interface Accepted {
  readonly eventCount: number;
  readonly deliveryCount: number;
  readonly unroutedCount: number;
  /** The new pending rows. The caller offers them to the workers of their shards after the commit. */
  readonly offers: readonly DeliveryOffer[];
}

/**
 * Commits a batch of different items in one statement. Once it resolves, the caller may answer 200. Items of no channel
 * are rare and are committed by a second statement.
 *
 * Keys are inserted in order, so processes that accept the same items wait for each other instead of deadlocking.
 * Events and deliveries are numbered in order of arrival, which is the delivery order.
 */
export async function acceptItems(
  pool: HotPool,
  items: readonly AcceptItem[],
  bodyBox?: BodyBox, // Optional. Omit to store plaintext.
): Promise<Accepted> {
  const sealingKeyId = bodyBox?.encryptsBodies ? bodyBox.activeKeyId : null;
  const stored = items.map((item) =>
    sealingKeyId === null ? item : { ...item, body: bodyBox!.seal(item.body, bodyContexts.event(item)) },
  );
  const { rows } = await retryRaces(
    () => pool.query<AcceptedRow>({ name: 'accept-items', text: acceptSql, values: columnsOf(stored, sealingKeyId) }),
    isKnownKey,
  );
  const { events: eventCount, deliveries: deliveryCount, pending, unrouted, now_ms: acceptedAtMs } = rows[0]!;
  const rest = (unrouted ?? []).map((position) => stored[position - 1]!);
  const unroutedCount = rest.length === 0 ? 0 : await keepUnrouted(pool, columnsOf(rest, sealingKeyId));
  const offers = (pending ?? []).map(([position, ...row]) =>
    toOffer(row, { item: stored[position - 1]!, acceptedAtMs, bodyKeyId: sealingKeyId }),
  );
  return { eventCount, deliveryCount, unroutedCount, offers };
}

type PendingRow = [
  eventId: number,
  id: number,
  destinationId: number,
  shard: number,
  version: number | null,
  before: readonly number[] | null,
];

function toOffer(
  [eventId, id, destinationId, shard, destinationVersion, before]: PendingRow,
  { item, ...common }: { item: AcceptItem; acceptedAtMs: number; bodyKeyId: string | null },
): DeliveryOffer {
  const { eventFlags = null, conversationKey, traceParent = null } = item;
  return {
    id,
    eventId,
    destinationId,
    shard,
    destinationVersion,
    before: before ?? [],
    eventType: item.eventType!,
    eventFlags,
    conversationKey,
    traceParent,
    body: item.body as Buffer,
    ...common,
  };
}

interface AcceptedRow {
  readonly events: number;
  readonly deliveries: number;
  readonly pending: readonly [position: number, ...PendingRow][] | null;
  readonly now_ms: number;
  /** Positions of the items of no channel, from 1. */
  readonly unrouted: readonly number[] | null;
}

async function keepUnrouted(pool: HotPool, values: unknown[]): Promise<number> {
  const { rowCount } = await pool.query({ name: 'keep-unrouted', text: unroutedSql, values });
  return rowCount ?? 0;
}

function columnsOf(items: readonly AcceptItem[], sealingKeyId: string | null): unknown[] {
  const bodies = packBytes(items.map(({ body }) => body));
  return [
    items.map((item) => item.channelType ?? ''),
    items.map((item) => item.resourceId ?? ''),
    items.map((item) => item.eventType),
    items.map((item) => item.conversationKey),
    items.map((item) => item.sender),
    items.map((item) => item.platformMessageId),
    items.map((item) => item.key),
    bodies.offsets,
    bodies.lengths,
    bodies.blob,
    sealingKeyId,
    // `unnest` fills the missing array with nulls, so that batches without a sampled event pay nothing.
    items.some(isSampled) ? items.map(({ traceParent }) => traceParent ?? null) : null,
    items.some(hasPeople) ? items.map(({ personIds }) => (personIds ? arrayText(personIds) : null)) : null,
    items.some(hasFlags) ? items.map(({ eventFlags }) => eventFlags ?? null) : null,
  ];
}

function isSampled({ traceParent }: AcceptItem): boolean {
  return typeof traceParent === 'string';
}

function hasPeople({ personIds }: AcceptItem): boolean {
  return (personIds?.length ?? 0) > 0;
}

function hasFlags({ eventFlags }: AcceptItem): boolean {
  return typeof eventFlags === 'string';
}

/** An array in the syntax of PostgreSQL. `unnest` would flatten an array of arrays. */
function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

const UNIQUE_VIOLATION = '23505';

/**
 * Another process has committed one of the keys, which the repeated statement sees. `on conflict do nothing` would cost
 * each batch a join of the inserted keys with the items.
 */
function isKnownKey(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.table === 'event_keys';
}

const itemsSql = `
  unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::uuid[], $8::int[], $9::int[],
    $12::text[], $13::text[], $14::text[])
    with ordinality
    as i (type, resource_id, event_type, conversation_key, sender, platform_message_id, key, body_at, body_length,
      trace_parent, person_ids, flags, position)
`;
const bodySql = 'substring($10::bytea from body_at for body_length), $11::text';
/** A scalar subquery stays an index lookup for each item. `not exists` may become a join that reads all keys. */
const isNewSql = (table: string): string =>
  `(select true from ${table} k where k.channel_id = c.id and k.key = i.key) is null`;

/** Parked deliveries wait, too. Asked for the first of a conversation only: the others go behind it. */
const beforeSql = `(
        select array_agg(id) from (
          select id from deliveries_waiting w
          where w.destination_id # w.conversation_key = routed.destination_id # routed.conversation_key
            and w.destination_id = routed.destination_id and w.conversation_key = routed.conversation_key
          union all
          select id from deliveries_parked p
          where p.destination_id = routed.destination_id and p.conversation_key = routed.conversation_key
          limit ${MAX_BEFORE}) before)`;

/**
 * `limit 1` and `offset 0` force index lookups per item. With outdated statistics, the planner would join whole tables
 * and keep that plan.
 */
const acceptSql = `
with item as materialized (
  select i.*, c.id as channel_id, c.workspace_id, c.forwarding_enabled, c.channel_version,
    case when c.id is not null then nextval('events_id_seq') end as event_id
  from ${itemsSql}
  left join lateral (
    select id, workspace_id, forwarding_enabled, ${versionSql('channels')} as channel_version from channels
    where type = i.type and resource_id = i.resource_id and disconnected_at is null
    limit 1
  ) c on true
  where ${isNewSql('event_keys')} and ${isNewSql('event_keys_1')} and ${isNewSql('event_keys_2')}
  order by position
),
fresh as (
  insert into event_keys (channel_id, key)
  select channel_id, key from item where channel_id is not null order by channel_id, key
),
event as (
  insert into events
    (id, channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, body, body_key_id,
      trace_parent, person_ids, flags)
  select event_id, channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, ${bodySql},
    trace_parent, person_ids::text[], flags
  from item where channel_id is not null order by position
),
routed as materialized (
  select nextval('deliveries_id_seq') as id, n.position, n.event_id, n.channel_id, n.workspace_id,
    d.id as destination_id, coalesce(d.shard, 0) as shard, n.conversation_key, n.event_type,
    case when n.forwarding_enabled and d.enabled then 'pending' else 'skipped' end as status,
    case when not n.forwarding_enabled then 'forwarding_disabled'
         when d.id is null then 'no_destination'
         when not d.enabled then 'destination_disabled' end as skip_reason,
    d.ordering, n.channel_version + d.version as version
  from item n
  left join lateral (
    select id, shard, enabled, ordering, case when circuit = 'closed' then ${versionSql('dest')} end as version
    from destinations dest
    where channel_id = n.channel_id and ${receivesEventsSql('dest')}
      and (event_types is null or n.event_type = any (event_types))
    offset 0
  ) d on true
  where n.channel_id is not null
  order by n.position, d.id
),
delivery as (
  insert into deliveries
    (id, event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, skip_reason)
  select id, event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, skip_reason
  from routed
)
select accepted.*, delivered.*, floor(extract(epoch from now()) * 1000)::float8 as now_ms
from (
  select count(channel_id) as events, array_agg(position) filter (where channel_id is null) as unrouted from item
) accepted, (
  select count(*) as deliveries,
    json_agg(json_build_array(position, event_id, id, destination_id, shard, version,
      case when ordering <> 'none' and is_first then ${beforeSql} end)
    ) filter (where status = 'pending' and shard > ${LISTENER_SHARD}) as pending
  from (
    select *, row_number() over (partition by destination_id, conversation_key order by id) = 1 as is_first from routed
    order by id
  ) routed
) delivered
`;

const unroutedSql = `
insert into unrouted_events (type, resource_id, key, event_type, conversation_key, body, body_key_id)
select type, resource_id, key, event_type, conversation_key, ${bodySql}
from ${itemsSql}
order by type, resource_id, key
on conflict do nothing
`;
