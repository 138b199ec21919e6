import type { Knex } from 'knex';
import { beforeSql, type DeliveryFilters, filterBindings, filteredSql } from './filters.ts';
import { namedDestinationsSql } from './named-destinations.ts';
import { channelsOfScopeSql, wasHereSql } from './scope.ts';
import { deliveryColumns, deliveryFromRow, deliveryJoins, type DeliveryRecord, type DeliveryRow } from './records.ts';

export interface DeliveryPage extends DeliveryFilters {
  readonly workspaceId: number;
  readonly channelId?: number | undefined;
  /** Optional. `webhook`, a subscription id or a listener id. */
  readonly destination?: string | undefined;
  readonly sender?: string | undefined;
  readonly platformMessageId?: string | undefined;
  readonly limit: number;
}

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
 * Merges one short index read per channel and joins after the limit. A sender or platform message id selects the events
 * first, because few match.
 */
export async function listDeliveryRecords(db: Knex, page: DeliveryPage): Promise<DeliveryRecord[]> {
  const isOfEvents = page.sender !== undefined || page.platformMessageId !== undefined;
  const { rows } = await db.raw<{ rows: DeliveryRow[] }>(isOfEvents ? pageOfEventsSql : pageOfChannelsSql, {
    workspaceId: page.workspaceId,
    channelId: page.channelId ?? null,
    ...filterBindings(page),
    isToWebhook: page.destination === 'webhook',
    named: page.destination === 'webhook' ? null : (page.destination ?? null),
    ...(isOfEvents && { sender: page.sender ?? null, platformMessageId: page.platformMessageId ?? null }),
    limit: page.limit,
  });
  return rows.map(deliveryFromRow);
}

const filters = `
    d.workspace_id = :workspaceId and ${beforeSql} and ${filteredSql}`;

/** Includes old URLs kept for waiting deliveries. */
const destinationFilter = (of: string): string => `
      and (not :isToWebhook or d.destination_id in (
        select id from destinations where channel_id = ${of} and type = 'webhook'))
      and (cast(:named as text) is null or d.destination_id in (
        select dest.id from ${namedDestinationsSql} n
        join destinations dest on dest.id = n.destination_id or dest.kept_for = n.destination_id
        where n.public_id = cast(:named as text)))`;

const pageOfChannelsSql = `
with page as (
  select d.* from channels c
  cross join lateral (
    select * from deliveries d
    where d.channel_id = c.id and ${filters} ${destinationFilter('c.id')}
    order by d.id desc limit :limit
  ) d
  where ${channelsOfScopeSql}
  order by d.id desc limit :limit
)
select ${deliveryColumns} from page d ${deliveryJoins} order by d.id desc`;

const pageOfEventsSql = `
with found as materialized (
  select e.id from events e
  where e.workspace_id = :workspaceId
    and (cast(:platformMessageId as text) is null or e.platform_message_id = :platformMessageId)
    and (cast(:sender as text) is null or e.sender = :sender)
),
page as (
  select d.* from found join deliveries d on d.event_id = found.id
  where ${filters} ${destinationFilter('d.channel_id')}
    and (cast(:channelId as bigint) is null or d.channel_id = cast(:channelId as bigint))
  order by d.id desc limit :limit
)
select ${deliveryColumns} from page d ${deliveryJoins} order by d.id desc`;
