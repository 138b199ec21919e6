import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { type DeliveryFilters, filterBindings, filteredSql, channelsOfScopeSql } from './filters.ts';
import { type IdRange, idRangeOf, newestFirst } from './id-ranges.ts';
import { findNamedDestinations, WEBHOOK } from './named-destinations.ts';
import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import type { FoundDelivery } from './records.ts';

export interface DeliveryPage extends DeliveryFilters {
  readonly workspaceId: number;
  readonly channelId?: number | undefined;
  /** Optional. Further narrows the channels. */
  readonly channelIds?: readonly number[] | undefined;
  /** Optional. `webhook`, subscription ids and listener ids. */
  readonly destinations?: readonly string[] | undefined;
  readonly sender?: string | undefined;
  readonly platformMessageId?: string | undefined;
  /** Optional. A sender or a message id of the platform. */
  readonly platformId?: string | undefined;
  readonly deliveryId?: number | undefined;
  readonly eventId?: number | undefined;
  /** Optional. The public id. */
  readonly replayId?: string | undefined;
  /** Optional. Statuses of the last attempt's response; `NO_RESPONSE` for none. */
  readonly httpStatuses?: readonly number[] | undefined;
  readonly limit: number;
}

export interface DeliveryOnPage extends FoundDelivery {
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
}

export const NO_RESPONSE = -1;
/** Bounds how much of a large replay a page looks through. */
const MAX_REPLAYED = 10_000;

/**
 * Finds a page, newest periods first, without its records. Merges one short index read per channel. A sender or an id of
 * the platform selects the events first, because few match.
 */
export async function findPage(db: Knex, page: DeliveryPage): Promise<DeliveryOnPage[]> {
  const destinationIds = await findNamedDestinations(db, page.destinations);
  if (destinationIds?.length === 0 && page.destinations?.includes(WEBHOOK) !== true) return [];
  const ranges = await newestFirst(db, await rangeOf(db, page));
  const found: DeliveryOnPage[] = [];
  for (const range of ranges) {
    const limit = page.limit - found.length;
    const part = { ...page, ...range, destinationIds, limit };
    if (limit > 0) found.push(...(await queryRows<DeliveryOnPage>(db, pageSql(part), bindingsOf(part))));
  }
  return found;
}

/** The partitions outside it are not planned. */
export async function rangeOf(db: Knex, page: DeliveryPage): Promise<IdRange> {
  const { low, high } = await idRangeOf(db, page);
  const { deliveryId, before = high } = page;
  const end = Math.min(high, before);
  if (deliveryId === undefined) return { low, high: end };
  return { low: Math.max(low, deliveryId), high: Math.min(end, deliveryId + 1) };
}

export interface PartOfPage extends DeliveryPage, IdRange {
  readonly destinationIds: readonly number[] | null;
}

/** @returns The numbers, the status and the time of each delivery. */
export function pageSql(page: DeliveryPage): string {
  const { sender, platformMessageId, platformId, eventId } = page;
  const isOfEvents = [sender, platformMessageId, platformId, eventId].some((one) => one !== undefined);
  return isOfEvents ? pageOfEventsSql : pageOfChannelsSql;
}

export function bindingsOf({ low, high, destinationIds, ...page }: PartOfPage) {
  return {
    workspaceId: page.workspaceId,
    channelId: page.channelId ?? null,
    channelIds: page.channelIds ? [...page.channelIds] : null,
    ...filterBindings(page),
    low,
    high,
    destinationIds,
    isToWebhook: page.destinations?.includes(WEBHOOK) ?? false,
    sender: page.sender ?? null,
    platformMessageId: page.platformMessageId ?? null,
    platformId: page.platformId ?? null,
    eventId: page.eventId ?? null,
    replayId: page.replayId ?? null,
    httpStatuses: page.httpStatuses ? [...page.httpStatuses] : null,
    limit: page.limit,
  };
}

/** The response of the last attempt. Its partition is within the bounds of the delivery. */
const httpStatusFilter = `(cast(:httpStatuses as int[]) is null or d.attempt_count > 0 and exists (
      select from attempts a where a.delivery_id = d.id and a.number = d.attempt_count
        and a.delivery_id >= cast(:low as bigint) and a.delivery_id < cast(:high as bigint)
        and coalesce(a.status, ${NO_RESPONSE}) = any (cast(:httpStatuses as int[]))))`;

const replayFilter = `(cast(:replayId as text) is null or d.id = any (array(
      select item.delivery_id from replays replay join replay_items item on item.replay_id = replay.id
      where replay.public_id = :replayId and item.delivery_id < cast(:high as bigint)
      order by item.delivery_id desc limit ${MAX_REPLAYED})))`;

/**
 * `coalesce` hides that few rows are of the workspace. The planner would multiply that share by the channel's, although
 * the channel determines the workspace, and would sort all rows of the channel instead of reading the newest by index.
 */
const filters = `
    coalesce(d.workspace_id = :workspaceId, false)
    and d.id >= cast(:low as bigint) and d.id < cast(:high as bigint)
    and ${filteredSql} and ${replayFilter} and ${httpStatusFilter}`;

const destinationFilter = (channel: string): string => `(
      (cast(:destinationIds as bigint[]) is null and not :isToWebhook)
      or d.destination_id = any (cast(:destinationIds as bigint[]))
      or (:isToWebhook and d.destination_id in (
        select id from destinations where channel_id = ${channel} and type = 'webhook')))`;

const columns = 'd.id, d.event_id as "eventId", d.status, d.created_at as "createdAt"';

const pageOfChannelsSql = `
select d.* from channels c
cross join lateral (
  select ${columns} from deliveries d
  where d.channel_id = c.id and ${filters} and ${destinationFilter('c.id')}
  order by d.id desc limit :limit
) d
where ${channelsOfScopeSql} and (cast(:channelIds as bigint[]) is null or c.id = any (cast(:channelIds as bigint[])))
order by d.id desc limit :limit`;

/** The sender may have several ids. An echo has those of its recipient. */
export const sentBySql = (id: string): string =>
  `(e.sender = ${id} or e.person_ids && array[cast(${id} as text)] and e.sender = e.person_ids[1])`;

/** Each branch of the union reads an index. An array of numbers is looked up once per partition, in order. */
const eventsOf = (condition: string): string =>
  `select e.id from events e where e.workspace_id = :workspaceId and ${condition}`;

const pageOfEventsSql = `
select ${columns} from deliveries d
where d.event_id = any (array(
    ${eventsOf(`cast(:platformId as text) is null and cast(:eventId as bigint) is null
      and (cast(:platformMessageId as text) is null or e.platform_message_id = :platformMessageId)
      and (cast(:sender as text) is null or ${sentBySql(':sender')})`)}
    union ${eventsOf(sentBySql(':platformId'))}
    union ${eventsOf('e.platform_message_id = :platformId')}
    union ${eventsOf('e.id = cast(:eventId as bigint)')}))
  and ${filters} and ${destinationFilter('d.channel_id')}
  and (cast(:channelId as bigint) is null or d.channel_id = cast(:channelId as bigint))
  and (cast(:channelIds as bigint[]) is null or d.channel_id = any (cast(:channelIds as bigint[])))
order by d.id desc limit :limit`;

type Place = Pick<DeliveryPage, 'workspaceId' | 'channelId' | 'channelIds'>;

/**
 * Whether any event of the place has it as its sender or message id. Looks at no other channels: a portal that is limited
 * to some must not learn who writes to the others.
 */
export async function isPlatformId(
  db: Knex,
  { workspaceId, channelId, channelIds, platformId }: Place & { readonly platformId: string },
): Promise<boolean> {
  const isHere = `(cast(:channelId as bigint) is null or e.channel_id = cast(:channelId as bigint))
    and (cast(:channelIds as bigint[]) is null or e.channel_id = any (cast(:channelIds as bigint[])))`;
  const anyOf = (condition: string): string => `(${eventsOf(`${condition} and ${isHere}`)} limit 1)`;
  const rows = await queryRows(
    db,
    `${anyOf(sentBySql(':platformId'))} union all ${anyOf('e.platform_message_id = :platformId')}`,
    { workspaceId, channelId: channelId ?? null, channelIds: channelIds ? [...channelIds] : null, platformId },
  );
  return rows.length > 0;
}
