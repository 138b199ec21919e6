import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { type DeliveryFilters, filterBindings, filteredSql } from './filters.ts';
import { type IdRange, idRangeOf, newestFirst } from './id-ranges.ts';
import { namedDestinationsSql } from './named-destinations.ts';
import { channelsOfScopeSql, wasHereSql } from './scope.ts';
import { type FoundDelivery, readDeliveryRows } from './read-delivery-rows.ts';
import { deliveryFromRow, type DeliveryRecord, type DeliveryRow } from './records.ts';

export interface DeliveryPage extends DeliveryFilters {
  readonly workspaceId: number;
  readonly channelId?: number | undefined;
  /** Optional. `webhook`, a subscription id or a listener id. */
  readonly destination?: string | undefined;
  readonly sender?: string | undefined;
  readonly platformMessageId?: string | undefined;
  readonly limit: number;
}

const WEBHOOK = 'webhook';

export async function findChannelOfDeliveries(
  db: Knex,
  { workspaceId, publicId }: { workspaceId: number; publicId: string },
): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `select c.id from channels c where c.public_id = :publicId and ${wasHereSql}`,
    { workspaceId, publicId },
  );
  return rows[0]?.id;
}

/**
 * Finds the page first, newest periods first, and reads its records afterwards. Merges one short index read per channel.
 * A sender or platform message id selects the events first, because few match.
 */
export async function listDeliveryRecords(db: Knex, page: DeliveryPage): Promise<DeliveryRecord[]> {
  const destinationIds = await findNamedDestinations(db, page.destination);
  if (destinationIds?.length === 0) return [];
  const { low, high } = await idRangeOf(db, page);
  const ranges = await newestFirst(db, { low, high: Math.min(high, page.before ?? high) });
  const found: FoundDelivery[] = [];
  for (const range of ranges) {
    const limit = page.limit - found.length;
    if (limit > 0) found.push(...(await findPage(db, { ...page, ...range, destinationIds, limit })));
  }
  const rows = await readDeliveryRows<DeliveryRow>(db, found);
  return rows.map(deliveryFromRow);
}

/** Includes old URLs kept for waiting deliveries. Returns null if the destination has no public id. */
async function findNamedDestinations(db: Knex, named: string | undefined): Promise<readonly number[] | null> {
  if (named === undefined || named === WEBHOOK) return null;
  const rows = await queryRows<{ id: number }>(
    db,
    `select dest.id from ${namedDestinationsSql} n
     join destinations dest on dest.id = n.destination_id or dest.kept_for = n.destination_id
     where n.public_id = :named`,
    { named },
  );
  return rows.map(({ id }) => id);
}

interface PartOfPage extends DeliveryPage, IdRange {
  readonly destinationIds: readonly number[] | null;
}

async function findPage(db: Knex, { low, high, destinationIds, ...page }: PartOfPage): Promise<FoundDelivery[]> {
  const isOfEvents = page.sender !== undefined || page.platformMessageId !== undefined;
  return await queryRows<FoundDelivery>(db, isOfEvents ? pageOfEventsSql : pageOfChannelsSql, {
    workspaceId: page.workspaceId,
    channelId: page.channelId ?? null,
    ...filterBindings(page),
    ...{ low, high, destinationIds },
    isToWebhook: page.destination === WEBHOOK,
    ...(isOfEvents && { sender: page.sender ?? null, platformMessageId: page.platformMessageId ?? null }),
    limit: page.limit,
  });
}

/**
 * `coalesce` hides that few rows are of the workspace. The planner would multiply that share by the channel's, although
 * the channel determines the workspace, and would sort all rows of the channel instead of reading the newest by index.
 */
const filters = `
    coalesce(d.workspace_id = :workspaceId, false)
    and d.id >= cast(:low as bigint) and d.id < cast(:high as bigint)
    and ${filteredSql}
    and (cast(:destinationIds as bigint[]) is null or d.destination_id = any (cast(:destinationIds as bigint[])))`;

const webhookFilter = (channel: string): string => `(not :isToWebhook or d.destination_id in (
      select id from destinations where channel_id = ${channel} and type = 'webhook'))`;

const pageOfChannelsSql = `
select d.id, d."eventId" from channels c
cross join lateral (
  select d.id, d.event_id as "eventId" from deliveries d
  where d.channel_id = c.id and ${filters} and ${webhookFilter('c.id')}
  order by d.id desc limit :limit
) d
where ${channelsOfScopeSql}
order by d.id desc limit :limit`;

/** An array of numbers is looked up once per partition, in order. A join would look up each number in each partition. */
const pageOfEventsSql = `
select d.id, d.event_id as "eventId" from deliveries d
where d.event_id = any (array(
    select e.id from events e
    where e.workspace_id = :workspaceId
      and (cast(:platformMessageId as text) is null or e.platform_message_id = :platformMessageId)
      and (cast(:sender as text) is null or e.sender = :sender)))
  and ${filters} and ${webhookFilter('d.channel_id')}
  and (cast(:channelId as bigint) is null or d.channel_id = cast(:channelId as bigint))
order by d.id desc limit :limit`;
