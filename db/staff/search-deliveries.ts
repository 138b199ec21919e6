import type { Knex } from 'knex';
import { type Bindings, queryRows } from '../core/query-rows.ts';
import { beforeSql, type DeliveryFilters, filterBindings, filteredSql } from '../deliveries/filters.ts';
import { sentBySql } from '../deliveries/find-page.ts';
import { idRangeOf } from '../deliveries/id-ranges.ts';
import { isSeenAsSql } from '../ledger/destinations/kept-urls.ts';

/**
 * Searches all deliveries in bounded time: a page reads at most `MAX_ROWS` rows over the most selective index and
 * reports where it stopped, so an empty page can have a next one. Times become bounds on the delivery number, because
 * deliveries are numbered by arrival.
 */
export interface StaffSearch extends DeliveryFilters {
  readonly deliveryId?: number | undefined;
  readonly eventId?: number | undefined;
  readonly platformMessageId?: string | undefined;
  readonly sender?: string | undefined;
  readonly channelIds?: readonly number[] | undefined;
  readonly workspaceId?: number | undefined;
  readonly organizationId?: number | undefined;
  readonly destination?: number | 'webhook' | undefined;
  readonly limit: number;
}

export interface FoundDeliveries {
  /** Includes the first one of the next page, if any. */
  readonly ids: readonly number[];
  /** Null at the end. */
  readonly stoppedAt: number | null;
}

/** Takes about ten milliseconds with cached rows, and a second or two without. */
const MAX_ROWS = 10_000;
/** Keeps searches from adding to the load of a slow database. */
const TIMEOUT_MS = 5_000;

export async function searchDeliveries(db: Knex, search: StaffSearch): Promise<FoundDeliveries> {
  return await db.transaction(async (trx) => {
    await queryRows(trx, `set local statement_timeout = ${TIMEOUT_MS}`);
    const bounds = await idRangeOf(trx, search);
    const [found] = await queryRows<FoundRow>(trx, sqlOf(search), { ...bounds, ...valuesOf(search) });
    return { ids: found?.ids.map(Number) ?? [], stoppedAt: found?.stoppedAt ?? null };
  });
}

/** The driver returns the numbers of an array as text. */
type FoundRow = Omit<FoundDeliveries, 'ids'> & { readonly ids: readonly string[] };

function sqlOf(search: StaffSearch): string {
  if (search.deliveryId !== undefined) return byNumber('d.id = :deliveryId');
  if (search.eventId !== undefined) return byNumber('d.event_id = :eventId');
  if (search.platformMessageId !== undefined) return byEvents('e.platform_message_id = :platformMessageId');
  if (search.sender !== undefined) return byEvents(sentBySql(':sender'));
  if (search.channelIds !== undefined) return byChannels('c.id = any (cast(:channelIds as bigint[]))');
  if (search.workspaceId !== undefined) return byChannels(everIn('= :workspaceId'));
  if (search.organizationId !== undefined) return byChannels(everIn(`in ${ofOrganization}`));
  return byAge;
}

function valuesOf(search: StaffSearch): Bindings {
  const { destination } = search;
  return {
    deliveryId: search.deliveryId ?? null,
    eventId: search.eventId ?? null,
    platformMessageId: search.platformMessageId ?? null,
    sender: search.sender ?? null,
    channelIds: search.channelIds ?? null,
    workspaceId: search.workspaceId ?? null,
    organizationId: search.organizationId ?? null,
    toWebhook: destination === 'webhook',
    destinationId: typeof destination === 'number' ? destination : null,
    ...filterBindings(search),
    limit: search.limit,
    maxRows: MAX_ROWS,
  };
}

const ofOrganization = '(select id from workspaces where organization_id = cast(:organizationId as bigint))';
/** A moved channel leaves its deliveries with the old workspace. */
const everIn = (workspace: string): string => `(c.workspace_id ${workspace}
  or c.id in (select channel_id from channel_moves where from_workspace_id ${workspace}))`;

const inBounds = `d.id >= :low and d.id < :high and ${beforeSql}`;

const filters = `
    (cast(:deliveryId as bigint) is null or d.id = cast(:deliveryId as bigint))
    and (cast(:eventId as bigint) is null or d.event_id = cast(:eventId as bigint))
    and (cast(:channelIds as bigint[]) is null or d.channel_id = any (cast(:channelIds as bigint[])))
    and (cast(:workspaceId as bigint) is null or d.workspace_id = cast(:workspaceId as bigint))
    and (cast(:organizationId as bigint) is null or d.workspace_id in ${ofOrganization})
    and (not :toWebhook or d.destination_id in (
      select dest.id from destinations dest where dest.id = d.destination_id and dest.type = 'webhook'))
    and (cast(:destinationId as bigint) is null or d.destination_id in (
      select dest.id from destinations dest
      where ${isSeenAsSql('dest', 'cast(:destinationId as bigint)')}))
    and ${filteredSql}
    and (cast(:platformMessageId as text) is null and cast(:sender as text) is null or exists (
      select from events e where e.id = d.event_id
        and (cast(:platformMessageId as text) is null or e.platform_message_id = cast(:platformMessageId as text))
        and (cast(:sender as text) is null or ${sentBySql('cast(:sender as text)')})))`;

const few = (table: string): string => `
select array(select d.id from ${table} d where ${inBounds} and ${filters} order by d.id desc limit :limit) as ids,
  null as "stoppedAt"`;

const byNumber = (condition: string): string => `
with narrowed as materialized (select * from deliveries d where ${condition}) ${few('narrowed')}`;

/** Ordered by event, so that replays are listed with their event. */
const byEvents = (condition: string): string => `
with place as (select event_id, id from deliveries where id = cast(:before as bigint)),
found as materialized (
  select e.id from events e
  where ${condition} and (cast(:before as bigint) is null or e.id <= (select event_id from place))
  order by e.id desc limit :maxRows
),
scanned as materialized (
  select d.* from deliveries d
  where d.event_id = any (array(select id from found)) and (cast(:before as bigint) is null or (d.event_id, d.id) < (select event_id, id from place))
)
select
  array(select d.id from scanned d where d.id >= :low and d.id < :high and ${filters}
    order by d.event_id desc, d.id desc limit :limit) as ids,
  case when (select count(*) from found) = :maxRows
    then (select id from scanned order by event_id, id limit 1) end as "stoppedAt"`;

/** Reads an equal share from each channel. The next page reads rows older than the newest cut-off. */
const byChannels = (condition: string): string => `
with source as materialized (select c.id from channels c where ${condition}),
share as (select greatest(:limit, :maxRows / greatest(count(*), 1)) as rows from source),
scanned as materialized (
  select d.* from source cross join lateral (
    select * from deliveries d where d.channel_id = source.id and ${inBounds}
    order by d.id desc limit (select rows from share)
  ) d
),
stop as (
  select max(last) as id from (
    select min(id) as last from scanned group by channel_id having count(*) = (select rows from share)
  ) cut
)
select
  array(select d.id from scanned d where d.id >= coalesce((select id from stop), 0) and ${filters}
    order by d.id desc limit :limit) as ids,
  (select id from stop) as "stoppedAt"`;

const byAge = `
with scanned as materialized (select * from deliveries d where ${inBounds} order by d.id desc limit :maxRows)
select
  array(select d.id from scanned d where ${filters} order by d.id desc limit :limit) as ids,
  (select min(id) from scanned having count(*) = :maxRows) as "stoppedAt"`;
