import { LISTENER_SHARD } from '../destinations/destinations.ts';
import type { HotPool } from '../../core/hot-pool.ts';
import { HOST_PACE_MS, takeTurnsSql } from '../../replays/delivery-turns.ts';
import { hostSql, isUnverifiedSql } from '../../replays/verify-subscriptions.ts';

/** One channel's items for one destination. */
export interface ReplayQueue {
  readonly channelId: number;
  readonly slot: number;
}

export interface SentBatch {
  readonly isRunning: boolean;
  readonly sentCount: number;
  readonly last: ReplayQueue | undefined;
  readonly queueCount: number;
  readonly allowedCount: number;
  /** The caller wakes them after the commit. */
  readonly pendingShards: readonly number[];
}

export const FIRST_QUEUE: ReplayQueue = { channelId: 0, slot: -1 };

/** Limits the pending rows of a destination, so that a live event waits for less than one claim. */
export const MAX_PENDING = 32;
/** Also limits concurrent replay requests to an unverified host. */
const MAX_PENDING_UNVERIFIED = 4;
const QUEUES_PER_BATCH = 50;
/** Limits how much of its rate a delayed replay catches up with per batch. */
const BURST_SECONDS = 0.25;

/**
 * Sends the next items of a running replay, each as a new delivery. Locking the replay and claiming its items ensure
 * that concurrent workers neither send an item twice nor exceed the rate.
 *
 * A destination with an open circuit or without room takes nothing. A listener always takes items, because it may have
 * no reader. Items that may not be sent become skipped or cancelled deliveries.
 *
 * All replays share an unverified host's turns with each other and with single requests (`delivery-turns.ts`).
 */
export async function sendReplayBatch(
  pool: HotPool,
  { replayId, after }: { readonly replayId: string; readonly after: ReplayQueue },
): Promise<SentBatch> {
  const { rows } = await pool.query<BatchRow>({
    name: 'send-replay-batch',
    text: sendSql,
    values: [replayId, after.channelId, after.slot],
  });
  const [row] = rows;
  if (!row) return ended;
  const isLast = row.lane_count < QUEUES_PER_BATCH;
  return {
    isRunning: true,
    sentCount: row.sent_count,
    last: isLast ? undefined : { channelId: row.last_channel_id!, slot: row.last_slot! },
    queueCount: row.lane_count,
    allowedCount: row.allowed,
    pendingShards: row.shards,
  };
}

interface BatchRow {
  sent_count: number;
  lane_count: number;
  last_channel_id: number | null;
  last_slot: number | null;
  allowed: number;
  shards: readonly number[];
}

const ended: SentBatch = {
  isRunning: false,
  sentCount: 0,
  last: undefined,
  queueCount: 0,
  allowedCount: 0,
  pendingShards: [],
};

const queueAfter = (channel: string, slot: string) => `
  select i.channel_id, i.slot from replay_items i
  where i.replay_id = r.id and i.done_at is null and (i.channel_id, i.slot) > (${channel}, ${slot})
  order by i.channel_id, i.slot limit 1`;

/**
 * `coalesce` on `done_at` avoids the partial indexes: new items have no statistics, and the planner would read all open
 * items.
 */
const sendSql = `
with recursive r as materialized (
  select id, rate_per_second,
    greatest(paced_at, now() - interval '1 second' * greatest(${BURST_SECONDS}, 1.0 / rate_per_second)) as paced_from
  from replays where public_id = $1 and status = 'running' for update
),
allowance as materialized (
  select r.*, greatest(floor(extract(epoch from now() - r.paced_from) * r.rate_per_second + 0.001), 0)::int as allowed from r
),
lanes (channel_id, slot, place) as (
  select first.*, 1 from r cross join lateral (${queueAfter('$2::bigint', '$3::bigint')}) first
  union all
  select next.*, lanes.place + 1
  from lanes cross join r cross join lateral (${queueAfter('lanes.channel_id', 'lanes.slot')}) next
  where lanes.place < ${QUEUES_PER_BATCH}
),
targets as materialized (
  select lanes.channel_id, lanes.slot, dest.id as destination_id, coalesce(dest.shard, 0) as shard,
    case when dest.shard = ${LISTENER_SHARD} then c.workspace_id end as only_workspace_id,
    case when c.disconnected_at is not null or dest.deleted_at is not null then 'cancelled'
         when not c.forwarding_enabled or dest.id is null or not dest.enabled then 'skipped' else 'pending' end as status,
    case when c.disconnected_at is not null or dest.deleted_at is not null then null
         when not c.forwarding_enabled then 'forwarding_disabled'
         when dest.id is null then 'no_destination'
         when not dest.enabled then 'destination_disabled' end as skip_reason,
    case when c.disconnected_at is not null then 'channel_disconnected' when dest.deleted_at is not null then 'destination_deleted'
         else 'channel_moved' end as cancel_reason,
    case when dest.circuit = 'open' then 0 when dest.shard = ${LISTENER_SHARD} then ${MAX_PENDING} else ${MAX_PENDING} - (
      select count(*) from (
        select from deliveries d
        where d.shard = dest.shard and d.status = 'pending' and d.destination_id = dest.id limit ${MAX_PENDING}) waiting
    ) end as room,
    coalesce(${isUnverifiedSql('dest')}, false) as is_unverified, ${hostSql('dest.url')} as host
  from lanes
  join channels c on c.id = lanes.channel_id
  left join webhook_configs config on config.channel_id = c.id
  left join destinations dest on dest.id = case when lanes.slot = 0 then config.destination_id else lanes.slot end
),
unverified as materialized (
  select t.channel_id, t.slot, t.host from targets t cross join allowance a
  where t.is_unverified and t.status = 'pending' and t.room > ${MAX_PENDING - MAX_PENDING_UNVERIFIED} and a.allowed > 0
),
paces as (
  ${takeTurnsSql({ keys: 'select distinct host from unverified order by host', paceMs: HOST_PACE_MS, burst: 1 })}
),
turns as materialized (
  select distinct on (u.host) u.channel_id, u.slot from unverified u join paces on paces.host = u.host
  order by u.host, u.channel_id, u.slot
),
picked as materialized (
  select a.id as replay_id, i.source_delivery_id, t.destination_id, t.shard, t.skip_reason,
    t.cancel_reason,
    case when t.status = 'pending' and e.workspace_id <> t.only_workspace_id then 'cancelled' else t.status end as status,
    e.id as event_id, e.channel_id, e.workspace_id, e.event_type
  from allowance a cross join targets t
  left join turns on turns.channel_id = t.channel_id and turns.slot = t.slot
  cross join lateral (
    select source_delivery_id, event_id, row_number() over (order by source_delivery_id) as place
    from replay_items
    where replay_id = a.id and channel_id = t.channel_id and slot = t.slot and done_at is null
    order by source_delivery_id
    limit least(a.allowed, case
      when t.status <> 'pending' then a.allowed when t.is_unverified then (turns.slot is not null)::int else t.room end)
  ) i
  left join lateral (
    select id, channel_id, workspace_id, event_type from events where id = i.event_id and erased_at is null for key share -- not while it is deleted or erased
  ) e on true
  order by i.place, i.source_delivery_id
  limit (select allowed from allowance)
),
claimed as (
  update replay_items i
  set done_at = now(), delivery_id = case when p.event_id is not null then nextval('deliveries_id_seq') end
  from picked p
  where i.replay_id = p.replay_id and i.source_delivery_id = p.source_delivery_id
    and coalesce(i.done_at, 'infinity') = 'infinity'
  returning i.delivery_id, p.*
),
sent as (
  insert into deliveries (id, event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type,
    status, skip_reason, cancellation)
  select delivery_id, event_id, channel_id, workspace_id, destination_id, shard, -delivery_id, event_type, status, skip_reason,
    case when status = 'cancelled' then jsonb_build_object('reason', cancel_reason, 'at', now()) end
  from claimed where delivery_id is not null order by source_delivery_id
  returning shard, status
),
counts as materialized (
  select (select count(*)::int from claimed) as done, (select count(*)::int from sent) as sent,
    (select count(*)::int from lanes) as lane_count,
    array(select distinct shard::int from sent where status = 'pending') as shards
),
noted as (
  update replays
  set sent = replays.sent + counts.sent, missing = replays.missing + counts.done - counts.sent,
    paced_at = a.paced_from + interval '1 second' * counts.done / a.rate_per_second, progressed_at = now()
  from allowance a, counts where replays.id = a.id
  returning a.allowed
)
select noted.allowed, counts.done as sent_count, counts.lane_count, counts.shards, last.channel_id as last_channel_id, last.slot as last_slot
from noted cross join counts left join (select * from lanes order by place desc limit 1) last on true`;
