import type { HotPool } from '../../../db/core/hot-pool.ts';
import type { AcceptItem } from '../../../db/ledger/accept.ts';

/** What a process of the version before migration 0027 executes for each event, as far as it writes the ledger. */

const acceptSql = `
with item as materialized (
  select i.*, c.id as channel_id, c.workspace_id
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::uuid[], $8::bytea[])
    with ordinality
    as i (type, resource_id, event_type, conversation_key, sender, platform_message_id, key, body, position)
  join channels c on c.type = i.type and c.resource_id = i.resource_id and c.disconnected_at is null
),
fresh as (
  insert into event_keys (channel_id, key) select channel_id, key from item order by channel_id, key
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
  select event_id, channel_id, workspace_id, event_type, conversation_key, sender, platform_message_id, body, null
  from numbered
  order by event_id
)
insert into deliveries
  (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, skip_reason)
select n.event_id, n.channel_id, n.workspace_id, d.id, d.shard, n.conversation_key, n.event_type, 'pending', null
from numbered n join destinations d on d.channel_id = n.channel_id and d.deleted_at is null and d.kept_for is null
order by n.event_id, d.id`;

const settleSql = `
with settled as materialized (
  select id from deliveries where shard >= 0 and status = 'pending' order by id limit $1
),
logged as (
  insert into attempts
    (delivery_id, number, started_at, duration_ms, outcome, status, response_headers, response_body,
      response_body_key_id, error)
  select id, 1, now(), 5, 'accepted', 200, null, null, null, null from settled
  on conflict (delivery_id, number) do nothing
)
update deliveries d
set status = 'delivered', attempt_count = greatest(d.attempt_count, 1), next_attempt_at = null, skip_reason = null,
  xid = pg_current_xact_id()
from settled s
where d.id = s.id and d.status <> 'delivered'`;

export async function acceptAsBefore(pool: HotPool, items: readonly AcceptItem[]): Promise<void> {
  await pool.query(acceptSql, [
    items.map(({ channelType }) => channelType),
    items.map(({ resourceId }) => resourceId),
    items.map(({ eventType }) => eventType),
    items.map(({ conversationKey }) => conversationKey),
    items.map(({ sender }) => sender),
    items.map(({ platformMessageId }) => platformMessageId),
    items.map(({ key }) => key),
    items.map(({ body }) => body),
  ]);
}

export async function settleAsBefore(pool: HotPool, count: number): Promise<void> {
  await pool.query(settleSql, [count]);
}
