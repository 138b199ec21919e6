import type { Knex } from 'knex';
import { numberOfName, SEPARATOR } from '../../contract/channels/number-name.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import { queryRows } from '../core/query-rows.ts';

export interface StaffChannel {
  readonly id: number;
  readonly publicId: string;
  readonly type: ChannelType;
  readonly resourceId: string;
  readonly displayName: string;
  readonly connected: boolean;
  readonly createdAt: Date;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  readonly organizationPublicId: string;
  readonly organizationName: string;
}

/** A number that was connected, disconnected and moved for years has fewer. */
const MAX_CHANNELS = 1_000;

/**
 * Finds channels by phone number, or by the platform's id of the number, account or Page. Includes disconnected ones,
 * newest first. Reads all channels, because only their display names have the phone numbers.
 */
export async function findChannelsOfResource(db: Knex, resourceId: string): Promise<StaffChannel[]> {
  const channels = await queryRows<StaffChannel>(
    db,
    `select c.id, c.public_id as "publicId", c.type, c.resource_id as "resourceId", c.display_name as "displayName",
       c.disconnected_at is null as connected, c.created_at as "createdAt", w.public_id as "workspacePublicId",
       o.id as "organizationId", o.public_id as "organizationPublicId", o.name as "organizationName"
     from channels c
     join workspaces w on w.id = c.workspace_id
     join organizations o on o.id = w.organization_id
     where c.resource_id = :resourceId or c.type = 'chatapp'
       and regexp_replace(split_part(c.display_name, :separator, -1), '\\D', '', 'g') = :resourceId
     order by c.id desc limit ${MAX_CHANNELS}`,
    { resourceId, separator: SEPARATOR },
  );
  return channels.filter(
    (channel) => channel.resourceId === resourceId || numberOfName(channel.displayName) === resourceId,
  );
}
