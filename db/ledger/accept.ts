import type { EventType, ChannelType } from '../../contract/event-types.ts';
import { bodyContexts } from '../core/body-contexts.ts';
import type { BodyBox } from '../core/body-box.ts';
import { LISTENER_SHARD } from './destinations/destinations.ts';
import { packBytes, type HotPool } from '../core/hot-pool.ts';

export interface AcceptItem {
  /** Null if unknown; the item is then kept for staff. */
  readonly channelType: ChannelType | null;
  readonly resourceId: string | null;
  readonly eventType: EventType | null;
  /** 48-bit hash of the conversation. */
  readonly conversationKey: number;
  readonly sender: string | null;
  readonly platformMessageId: string | null;
  /** 128-bit hash in hex; equal keys are duplicates. */
  readonly key: string;
  readonly body: Uint8Array;
}

export interface Accepted {
  readonly eventCount: number;
  readonly deliveryCount: number;
  readonly unroutedCount: number;
  /** Shards with new pending rows. The caller wakes them after the commit. */
  readonly pendingShards: readonly number[];
}

/**
 * Commits a batch in one statement. Once it resolves, the caller may answer 200.
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
  const bodies = packBytes(
    items.map((item) => (sealingKeyId === null ? item.body : bodyBox!.seal(item.body, bodyContexts.event(item)))),
  );
  const { rows } = await pool.query<CountsRow>({
    name: 'accept-items',
    text: acceptSql,
    values: [
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
    ],
  });
  const [counts] = rows;
  const { events: eventCount, deliveries: deliveryCount, unrouted: unroutedCount, shards: pendingShards } = counts!;
  return { eventCount, deliveryCount, unroutedCount, pendingShards };
}

interface CountsRow {
  readonly events: number;
  readonly deliveries: number;
  readonly unrouted: number;
  readonly shards: readonly number[];
}

/**
 * `limit 1` and `offset 0` force index lookups per item. With outdated statistics, the planner would join whole tables
 * and keep that plan.
 */
const acceptSql = `
with item as materialized (
  select i.*, c.id as channel_id, c.workspace_id, c.forwarding_enabled
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::uuid[], $8::int[], $9::int[])
    with ordinality
    as i (type, resource_id, event_type, conversation_key, sender, platform_message_id, key, body_at, body_length, position)
  left join lateral (
    select id, workspace_id, forwarding_enabled from channels
    where type = i.type and resource_id = i.resource_id and disconnected_at is null
    limit 1
  ) c on true
),
fresh as (
  insert into event_keys (channel_id, key)
  select channel_id, key from item
  where channel_id is not null
    and not exists (select from event_keys_1 k where k.channel_id = item.channel_id and k.key = item.key)
    and not exists (select from event_keys_2 k where k.channel_id = item.channel_id and k.key = item.key)
  order by channel_id, key
  on conflict do nothing
  returning channel_id, key
),
numbered as materialized (
  select arrived.*, nextval('events_id_seq') as event_id
  from (select item.* from item join fresh using (channel_id, key) order by item.position) arrived
),
event as (
  insert into events
    (id, channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, body, body_key_id)
  select event_id, channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id,
    substring($10::bytea from body_at for body_length), $11::text
  from numbered
  order by event_id
),
delivery as (
  insert into deliveries
    (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, skip_reason)
  select n.event_id, n.channel_id, n.workspace_id, d.id, coalesce(d.shard, 0), n.conversation_key, n.event_type,
    case when n.forwarding_enabled and d.enabled then 'pending' else 'skipped' end,
    case when not n.forwarding_enabled then 'forwarding_disabled'
         when d.id is null then 'no_destination'
         when not d.enabled then 'destination_disabled' end
  from numbered n
  left join lateral (
    select id, shard, enabled from destinations
    where channel_id = n.channel_id and deleted_at is null and kept_for is null
      and (event_types is null or n.event_type = any (event_types))
    offset 0
  ) d on true
  order by n.event_id, d.id
  returning shard, status
),
unrouted as (
  insert into unrouted_events (type, resource_id, key, event_type, conversation_key, body, body_key_id)
  select type, resource_id, key, event_type, conversation_key, substring($10::bytea from body_at for body_length), $11::text
  from item where channel_id is null order by type, resource_id, key
  on conflict do nothing
  returning 1
)
select (select count(*) from numbered) as events, (select count(*) from delivery) as deliveries,
  (select count(*) from unrouted) as unrouted,
  array(select distinct shard::int from delivery where status = 'pending' and shard > ${LISTENER_SHARD}) as shards
`;
