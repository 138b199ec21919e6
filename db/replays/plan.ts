import type { Knex } from 'knex';
import { MAX_COUNTED_MATCHES } from '../../contract/replays/replay.ts';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import type { EventType } from '../../contract/event-types.ts';
import type { HotPool } from '../core/hot-pool.ts';
import { idRangeOf } from '../deliveries/id-ranges.ts';
import { presentIdSql } from '../ledger/destinations/kept-urls.ts';

/** A null channel or workspace widens the scope. */
export interface ReplayPlace {
  readonly organizationId: number;
  readonly workspaceId: number | null;
  readonly channelId: number | null;
}

export interface ReplayCriteria {
  readonly place: ReplayPlace;
  readonly since: Date;
  readonly until: Date;
  readonly statuses: readonly DeliveryStatus[];
  readonly eventTypes: readonly EventType[] | null;
  /** Null for each delivery's own destination. */
  readonly destinationSlot: number | null;
  /** Optional. The filters of the list of deliveries. Default: none. */
  readonly filters?: ReplayFilters | undefined;
}

export interface ReplayFilters {
  readonly channelIds: readonly number[] | null;
  /** `webhook` and public ids. */
  readonly originalDestinations: readonly string[] | null;
  /** Of those with a public id. */
  readonly originalDestinationIds: readonly number[] | null;
  /** Statuses, classes such as `5xx`, and `none`. */
  readonly httpStatuses: readonly string[] | null;
  /** Names of the filters whose texts are not kept, because they may identify a person. */
  readonly selectedBy: readonly string[] | null;
  /** The deliveries that those filters leave. */
  readonly selectedIds: readonly number[] | null;
}

const noFilters: ReplayFilters = {
  channelIds: null,
  originalDestinations: null,
  originalDestinationIds: null,
  httpStatuses: null,
  selectedBy: null,
  selectedIds: null,
};

const BATCH_SIZE = 5_000;

/**
 * The request's snapshot selects rows committed before it and unchanged since. An id range would not, because rows
 * become visible out of id order.
 */
const fitsSql = (delivery: string) => `pg_visible_in_snapshot(${delivery}.xid, r.snapshot)
  and ${delivery}.created_at >= r.since_at and ${delivery}.created_at < r.until_at
  and ${delivery}.status = any (r.statuses)
  and (r.event_types is null or ${delivery}.event_type = any (r.event_types))
  and (r.workspace_id is null or ${delivery}.workspace_id = r.workspace_id)
  and (r.selected_ids is null or ${delivery}.id in (select id from chosen))
  and ${fromSql(delivery)} and ${answeredSql(delivery)}`;

/** Hashed once for each statement. `any` would compare each delivery with thousands of ids. */
const chosenSql = 'chosen as materialized (select unnest(selected_ids) as id from r)';

const fromSql = (delivery: string) => `(r.original_destinations is null
  or ${delivery}.destination_id = any (r.original_destination_ids)
  or 'webhook' = any (r.original_destinations) and exists (
    select from destinations d where d.id = ${delivery}.destination_id and d.type = 'webhook'))`;

/** By the last attempt. */
const answeredSql = (delivery: string) => `(r.http_statuses is null or ${delivery}.attempt_count > 0 and exists (
  select from attempts a where a.delivery_id = ${delivery}.id and a.number = ${delivery}.attempt_count
    and (coalesce(a.status::text, 'none') = any (r.http_statuses)
      or left(a.status::text, 1) || 'xx' = any (r.http_statuses))))`;

/** 0 means the channel's webhook when the item is sent, because replacing a webhook creates a new row. */
const slotSql = (destination: string) => `coalesce(r.destination_slot,
  case when ${destination}.id is null or ${destination}.type = 'webhook' then 0
       else ${presentIdSql(destination)} end)`;

/** Of several matching deliveries of an event to a destination, only the oldest is replayed. */
const matchedSql = `
select looked.id, looked.channel_id, looked.event_id, ${slotSql('dest')} as slot
from r cross join looked left join destinations dest on dest.id = looked.destination_id
where ${fitsSql('looked')} and not exists (
  select from deliveries other left join destinations theirs on theirs.id = other.destination_id
  where other.event_id = looked.event_id and other.id < looked.id and ${fitsSql('other')}
    and ${slotSql('theirs')} = ${slotSql('dest')})`;

/** Includes channels that have left the workspace: their deliveries stay with it. */
const nextChannelSql = `
select min(c.id) from channels c
where c.id > r.plan_channel_id and (r.channel_ids is null or c.id = any (r.channel_ids)) and case
  when r.channel_id is not null then c.id = r.channel_id
  when r.workspace_id is not null then c.workspace_id = r.workspace_id
    or c.id in (select channel_id from channel_moves where from_workspace_id = r.workspace_id)
  else c.workspace_id in (select id from workspaces where organization_id = r.organization_id) end`;

const lookedSql = (inRange: string): string => `
select d.* from r cross join lateral (
  select * from deliveries where channel_id = r.plan_channel_id and ${inRange} order by id limit ${BATCH_SIZE}
) d`;

export async function takeSnapshot(db: Knex): Promise<string> {
  const { rows } = await db.raw<{ rows: { snapshot: string }[] }>('select pg_current_snapshot()::text as snapshot');
  return rows[0]!.snapshot;
}

export interface MatchCount {
  readonly matched: number;
  /** False if not all deliveries were compared, so that more may match. */
  readonly isComplete: boolean;
}

export interface CountBounds {
  readonly maxMatched: number;
  /** Each statement also counts as `STATEMENT_ROWS`, because there is at least one for each channel. */
  readonly maxLooked: number;
}

/** One to two seconds of database time. */
const countBounds: CountBounds = { maxMatched: MAX_COUNTED_MATCHES, maxLooked: 500_000 };
const STATEMENT_ROWS = 500;

/** Looks only at deliveries that may be of the time span. */
export async function countMatching(
  db: Knex,
  criteria: ReplayCriteria & { readonly snapshot: string },
  { maxMatched, maxLooked }: CountBounds = countBounds,
): Promise<MatchCount> {
  const { low, high } = await idRangeOf(db, criteria);
  let matched = 0;
  let looked = 0;
  let at: { channelId: number; from: number } | undefined = { channelId: 0, from: low };
  while (at) {
    const { rows }: { rows: CountRow[] } = await db.raw(countSql, {
      ...criteriaBindings(criteria),
      planChannelId: at.channelId,
      from: at.from,
      high,
    });
    const row: CountRow = rows[0]!;
    matched += row.matched;
    looked += row.looked + STATEMENT_ROWS;
    if (row.looked === BATCH_SIZE) at = { channelId: at.channelId, from: row.last_id! + 1 };
    else at = row.next_channel_id === null ? undefined : { channelId: row.next_channel_id, from: low };
    if (at && (matched >= maxMatched || looked >= maxLooked)) {
      return { matched: Math.min(matched, maxMatched), isComplete: false };
    }
  }
  return { matched, isComplete: true };
}

export function criteriaBindings({
  place,
  filters = noFilters,
  ...criteria
}: ReplayCriteria & { readonly snapshot: string }) {
  return {
    ...filters,
    snapshot: criteria.snapshot,
    organizationId: place.organizationId,
    workspaceId: place.workspaceId,
    channelId: place.channelId,
    since: criteria.since,
    until: criteria.until,
    statuses: [...criteria.statuses],
    eventTypes: criteria.eventTypes && [...criteria.eventTypes],
    destinationSlot: criteria.destinationSlot,
  };
}

interface CountRow {
  readonly matched: number;
  readonly looked: number;
  readonly last_id: number | null;
  readonly next_channel_id: number | null;
}

const countSql = `
with r as materialized (
  select cast(:snapshot as pg_snapshot) as snapshot, cast(:organizationId as bigint) as organization_id,
    cast(:workspaceId as bigint) as workspace_id, cast(:channelId as bigint) as channel_id,
    cast(:since as timestamptz) as since_at, cast(:until as timestamptz) as until_at,
    cast(:statuses as text[]) as statuses, cast(:eventTypes as text[]) as event_types,
    cast(:destinationSlot as bigint) as destination_slot, cast(:channelIds as bigint[]) as channel_ids,
    cast(:originalDestinations as text[]) as original_destinations,
    cast(:originalDestinationIds as bigint[]) as original_destination_ids,
    cast(:httpStatuses as text[]) as http_statuses, cast(:selectedIds as bigint[]) as selected_ids,
    cast(:planChannelId as bigint) as plan_channel_id
),
${chosenSql},
looked as materialized (${lookedSql('id >= cast(:from as bigint) and id < cast(:high as bigint)')}),
matched as (${matchedSql})
select (select count(*)::int from matched) as matched, (select count(*)::int from looked) as looked,
  (select max(id) from looked) as last_id, (${nextChannelSql}) as next_channel_id
from r`;

/**
 * Returns whether more remains. One statement writes items and progress, so a repeat continues where the last one
 * ended.
 */
export async function planNextBatch(pool: HotPool, publicId: string): Promise<boolean> {
  const { rows } = await pool.query<{ status: string }>({ name: 'plan-replay', text: planSql, values: [publicId] });
  return rows[0]?.status === 'planning';
}

const planSql = `
with r as materialized (
  select * from replays where public_id = $1 and status = 'planning' for update
),
${chosenSql},
looked as materialized (${lookedSql('id > r.plan_after_id')}),
matched as materialized (${matchedSql}),
planned as (
  insert into replay_items (replay_id, source_delivery_id, channel_id, event_id, slot)
  select r.id, m.id, m.channel_id, m.event_id, m.slot from r cross join matched m
  on conflict do nothing returning 1
),
step as materialized (
  select r.id, (select count(*)::int from planned) as planned_count, (select max(id) from looked) as last_id,
    (select count(*) from looked) = ${BATCH_SIZE} as more_here, (${nextChannelSql}) as next_channel_id
  from r
)
update replays set
  planned = planned + step.planned_count,
  plan_channel_id = case when step.more_here then plan_channel_id else coalesce(step.next_channel_id, plan_channel_id) end,
  plan_after_id = case when step.more_here then step.last_id when step.next_channel_id is null then plan_after_id else 0 end,
  status = case when step.more_here or step.next_channel_id is not null then 'planning' else 'running' end,
  planned_at = case when step.more_here or step.next_channel_id is not null then null else now() end,
  started_at = case when step.more_here or step.next_channel_id is not null then null else now() end,
  paced_at = now(), progressed_at = now()
from step where replays.id = step.id
returning replays.status`;
