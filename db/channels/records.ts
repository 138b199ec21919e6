import type { Knex } from 'knex';
import { queryRows } from '../core/query-rows.ts';
import { ChannelModel } from '../models/channel.ts';
import type { Columns, PageAfter } from '../core/model.ts';

export interface ChannelRecord extends Columns<
  ChannelModel,
  | 'id'
  | 'publicId'
  | 'workspaceId'
  | 'type'
  | 'displayName'
  | 'resourceId'
  | 'connectionType'
  | 'disconnectedReason'
  | 'forwardingEnabled'
  | 'createdAt'
  | 'updatedAt'
> {
  readonly workspacePublicId: string;
  readonly organizationId: number;
  /** Of a number. Null until it is known. */
  readonly businessAccountId: string | null;
  readonly credentialPublicId: string;
  readonly connected: boolean;
  /** Since when the platform refuses the credential, and why. Null while it takes it. */
  readonly credentialRefusedAt: Date | null;
  readonly credentialRefusedReason: string | null;
  readonly webhookUrl: string | null;
  readonly linkedChannelPublicId: string | null;
  /** Null unless an onboarding link connected the channel. */
  readonly onboardingLinkPublicId: string | null;
}

export async function findChannelRecord(
  db: Knex,
  { publicId, workspaceId }: { readonly workspaceId?: number | undefined; readonly publicId: string },
): Promise<ChannelRecord | undefined> {
  const [channel] = await queryRows<ChannelRecord>(
    db,
    `${channelSql}
     where c.public_id = :publicId and (cast(:workspaceId as bigint) is null or w.id = cast(:workspaceId as bigint))`,
    { publicId, workspaceId: workspaceId ?? null },
  );
  return channel;
}

export interface ChannelPage extends PageAfter {
  readonly workspaceId: number;
  /** Optional. Filters by the link that connected the channel. */
  readonly onboardingLinkId?: string | undefined;
  /** Optional. The only channels to list. */
  readonly publicIds?: readonly string[] | null;
}

export async function listChannelRecords(
  db: Knex,
  { workspaceId, onboardingLinkId, publicIds = null, after, limit }: ChannelPage,
): Promise<ChannelRecord[] | undefined> {
  const last =
    after === undefined
      ? null
      : await ChannelModel.query(db).select('id').findOne({ public_id: after, workspace_id: workspaceId });
  if (last === undefined) return undefined;
  return await queryRows<ChannelRecord>(
    db,
    `${channelSql}
     where c.workspace_id = :workspaceId and (cast(:last as bigint) is null or c.id < cast(:last as bigint))
       and (cast(:link as text) is null
         or c.onboarding_link_id = (select id from onboarding_links where public_id = cast(:link as text)))
       and (cast(:publicIds as text[]) is null or c.public_id = any (cast(:publicIds as text[])))
     order by c.id desc limit :limit`,
    { workspaceId, last: last?.id ?? null, link: onboardingLinkId ?? null, publicIds, limit },
  );
}

/** Omits unknown channels and those of other workspaces. */
export async function channelIdsOf(
  db: Knex,
  { workspaceId, publicIds }: { readonly workspaceId: number; readonly publicIds: readonly string[] },
): Promise<number[]> {
  const channels = await ChannelModel.query(db)
    .select('id')
    .where({ workspace_id: workspaceId })
    .whereIn('public_id', [...publicIds]);
  return channels.map(({ id }) => id);
}

/**
 * SQL, because it runs on every channel request and the builder needs 0.1 ms for the joins. Subqueries, because the planner
 * would try orders of nine relations for 3 ms at each call.
 */
const channelSql = `
select c.id, c.public_id as "publicId", c.workspace_id as "workspaceId", w.public_id as "workspacePublicId",
  w.organization_id as "organizationId", c.type, c.display_name as "displayName", c.resource_id as "resourceId",
  (select business_account_id from channel_health where channel_id = c.id) as "businessAccountId",
  c.connection_type as "connectionType", credential.public_id as "credentialPublicId",
  c.disconnected_at is null as connected, c.disconnected_reason as "disconnectedReason",
  credential.refused_at as "credentialRefusedAt", credential.refused_reason as "credentialRefusedReason",
  c.forwarding_enabled as "forwardingEnabled",
  (select url from destinations where id = config.destination_id) as "webhookUrl",
  (select linked.public_id from channels linked
   where linked.resource_id = c.linked_resource_id and linked.disconnected_at is null
     and linked.type = case c.type when 'pageapp' then 'photoapp' when 'photoapp' then 'pageapp' end
     and linked.workspace_id = c.workspace_id) as "linkedChannelPublicId",
  (select public_id from onboarding_links where id = c.onboarding_link_id) as "onboardingLinkPublicId",
  c.created_at as "createdAt",
  greatest(c.updated_at, nullif(config.updated_at, config.created_at)) as "updatedAt"
from channels c
join workspaces w on w.id = c.workspace_id and w.deleted_at is null
join connection_credentials credential on credential.id = c.credential_id
left join webhook_configs config on config.channel_id = c.id`;
