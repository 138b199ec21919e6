import type { Knex } from 'knex';
import type { DeliveryStatus } from '../../contract/delivery-status.ts';
import type { EventType } from '../../contract/event-types.ts';
import {
  deliveryColumns,
  deliveryFromRow,
  deliveryJoins,
  type DeliveryRecord,
  type DeliveryRow,
} from './delivery-records.ts';

export interface DeliveryPage {
  readonly workspaceId: number;
  readonly channelId?: number | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: EventType | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** `webhook`, or a subscription's id. */
  readonly destination?: string | undefined;
  readonly sender?: string | undefined;
  readonly platformMessageId?: string | undefined;
  /** Number of the last delivery on the page before. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The number of a channel that is or was in this workspace; undefined for every other. */
export async function findChannelOfDeliveries(
  db: Knex,
  { workspaceId, publicId }: { workspaceId: number; publicId: string },
): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `select c.id from channels c where c.public_id = :publicId and ${wasHere}`,
    { workspaceId, publicId },
  );
  return rows[0]?.id;
}

/**
 * Deliveries accepted for the workspace, newest first. A page of a workspace is merged from one short read of each of
 * its channels, over the only index that leads by age; the joins come after the page is cut. Where a sender or the
 * platform's own id is asked for, the events that have it are found first: there are few of them, and anywhere.
 */
export async function listDeliveryRecords(db: Knex, page: DeliveryPage): Promise<DeliveryRecord[]> {
  const isOfEvents = page.sender !== undefined || page.platformMessageId !== undefined;
  const { rows } = await db.raw<{ rows: DeliveryRow[] }>(isOfEvents ? pageOfEventsSql : pageOfChannelsSql, {
    workspaceId: page.workspaceId,
    channelId: page.channelId ?? null,
    status: page.status ?? null,
    eventType: page.eventType ?? null,
    since: page.since ?? null,
    until: page.until ?? null,
    isToWebhook: page.destination === 'webhook',
    subscription: page.destination === 'webhook' ? null : (page.destination ?? null),
    ...(isOfEvents && { sender: page.sender ?? null, platformMessageId: page.platformMessageId ?? null }),
    before: page.before ?? null,
    limit: page.limit,
  });
  return rows.map(deliveryFromRow);
}

/** Deliveries of a channel that was moved away stay with the workspace. */
const wasHere = `(c.workspace_id = :workspaceId
    or c.id in (select channel_id from channel_moves where from_workspace_id = :workspaceId))`;

const filters = `
    d.workspace_id = :workspaceId
      and (cast(:before as bigint) is null or d.id < cast(:before as bigint))
      and (cast(:status as text) is null or d.status = cast(:status as text))
      and (cast(:eventType as text) is null or d.event_type = cast(:eventType as text))
      and (cast(:since as timestamptz) is null or d.created_at >= cast(:since as timestamptz))
      and (cast(:until as timestamptz) is null or d.created_at < cast(:until as timestamptz))`;

/** An old URL that is kept for what waited is the same destination to whoever looks. */
const destinationFilter = (of: string): string => `
      and (not :isToWebhook or d.destination_id in (
        select id from destinations where channel_id = ${of} and type = 'webhook'))
      and (cast(:subscription as text) is null or d.destination_id in (
        select dest.id from subscriptions s
        join destinations dest on dest.id = s.destination_id or dest.kept_for = s.destination_id
        where s.public_id = cast(:subscription as text)))`;

const channelFilter = `
    c.id = cast(:channelId as bigint) or (cast(:channelId as bigint) is null and ${wasHere})`;

const pageOfChannelsSql = `
with page as (
  select d.* from channels c
  cross join lateral (
    select * from deliveries d
    where d.channel_id = c.id and ${filters} ${destinationFilter('c.id')}
    order by d.id desc limit :limit
  ) d
  where ${channelFilter}
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
