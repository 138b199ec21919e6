import type { DeliveryStatus } from '../../contract/deliveries/status.ts';
import type { EventType } from '../../contract/event-types.ts';
import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';

export interface DeliveryKinds {
  readonly statuses?: readonly DeliveryStatus[] | undefined;
  readonly eventTypes?: readonly EventType[] | undefined;
}

export interface DeliveryFilters extends DeliveryKinds {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly before?: number | undefined;
}

/** Requires the alias `d`. Queries are planned with their values, so rare statuses use their partial index. */
export const ofKindsSql = `
    (cast(:statuses as text[]) is null or d.status = any (cast(:statuses as text[])))
    and (cast(:eventTypes as text[]) is null or d.event_type = any (cast(:eventTypes as text[])))`;

export const filteredSql = `
    ${ofKindsSql}
    and (cast(:since as timestamptz) is null or d.created_at >= cast(:since as timestamptz))
    and (cast(:until as timestamptz) is null or d.created_at < cast(:until as timestamptz))`;

export const beforeSql = '(cast(:before as bigint) is null or d.id < cast(:before as bigint))';

export function kindBindings({ statuses, eventTypes }: DeliveryKinds) {
  return { statuses: statuses ? [...statuses] : null, eventTypes: eventTypes ? [...eventTypes] : null };
}

export function filterBindings({ since, until, before, ...kinds }: DeliveryFilters) {
  return { ...kindBindings(kinds), since: since ?? null, until: until ?? null, before: before ?? null };
}

/** Requires the alias `c`. Deliveries stay with the workspace when their channel moves. */
const wasHereSql = `(c.workspace_id = :workspaceId
    or c.id in (select channel_id from channel_moves where from_workspace_id = :workspaceId))`;

export const channelsOfScopeSql = `
    (c.id = cast(:channelId as bigint) or (cast(:channelId as bigint) is null and ${wasHereSql}))`;

export async function findChannelOfDeliveries(
  db: Knex,
  { workspaceId, publicId }: { workspaceId: number; publicId: string },
): Promise<number | undefined> {
  const sql = `select c.id from channels c where c.public_id = :publicId and ${wasHereSql}`;
  const [channel] = await queryRows<{ id: number }>(db, sql, { workspaceId, publicId });
  return channel?.id;
}
