import type { Knex } from 'knex';
import type { ChannelType } from '../../contract/event-types.ts';

/** A channel as the API shows it, with the numbers that other queries take. */
export interface ChannelRecord {
  readonly id: number;
  readonly publicId: string;
  readonly workspaceId: number;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  readonly type: ChannelType;
  readonly displayName: string;
  readonly resourceId: string;
  readonly connectionType: string;
  readonly credentialPublicId: string;
  readonly connected: boolean;
  /** Why the service disconnected it by itself; null where it is connected, or was disconnected by request. */
  readonly disconnectedReason: string | null;
  readonly forwardingEnabled: boolean;
  readonly webhookUrl: string | null;
  readonly linkedChannelPublicId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface ChannelRow {
  id: number;
  public_id: string;
  workspace_id: number;
  workspace_public_id: string;
  organization_id: number;
  type: ChannelType;
  display_name: string;
  resource_id: string;
  connection_type: string;
  credential_public_id: string;
  disconnected_at: Date | null;
  disconnected_reason: string | null;
  forwarding_enabled: boolean;
  webhook_url: string | null;
  linked_public_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A channel by its id; only one of this workspace, where one is given. */
export async function findChannelRecord(
  db: Knex,
  key: { readonly workspaceId?: number | undefined; readonly publicId: string },
): Promise<ChannelRecord | undefined> {
  const { rows } = await db.raw<{ rows: ChannelRow[] }>(
    `${channelSql} where c.public_id = :publicId and (cast(:workspaceId as bigint) is null or w.id = cast(:workspaceId as bigint))`,
    { publicId: key.publicId, workspaceId: key.workspaceId ?? null },
  );
  return rows[0] && fromRow(rows[0]);
}

/** The workspace's channels, newest first; undefined when `after` names none of them. */
export async function listChannelRecords(
  db: Knex,
  page: { readonly workspaceId: number; readonly after?: string | undefined; readonly limit: number },
): Promise<ChannelRecord[] | undefined> {
  const last = page.after === undefined ? null : await findId(db, page.workspaceId, page.after);
  if (last === undefined) return undefined;
  const { rows } = await db.raw<{ rows: ChannelRow[] }>(
    `${channelSql} where c.workspace_id = :workspaceId and (cast(:last as bigint) is null or c.id < cast(:last as bigint))
     order by c.id desc limit :limit`,
    { workspaceId: page.workspaceId, last, limit: page.limit },
  );
  return rows.map(fromRow);
}

const channelSql = `
select c.id, c.public_id, c.workspace_id, w.public_id as workspace_public_id, w.organization_id, c.type, c.display_name, c.resource_id,
  c.connection_type, cred.public_id as credential_public_id, c.disconnected_at, c.disconnected_reason, c.forwarding_enabled,
  dest.url as webhook_url, linked.public_id as linked_public_id, c.created_at,
  greatest(c.updated_at, nullif(config.updated_at, config.created_at)) as updated_at
from channels c
join workspaces w on w.id = c.workspace_id and w.deleted_at is null
join connection_credentials cred on cred.id = c.credential_id
left join channels linked on linked.resource_id = c.linked_resource_id and linked.disconnected_at is null
  and linked.type = case c.type when 'pageapp' then 'photoapp' when 'photoapp' then 'pageapp' end and linked.workspace_id = c.workspace_id
left join webhook_configs config on config.channel_id = c.id
left join destinations dest on dest.id = config.destination_id`;

async function findId(db: Knex, workspaceId: number, publicId: string): Promise<number | undefined> {
  const row = await db<{ id: number; public_id: string; workspace_id: number }>('channels')
    .where({ public_id: publicId, workspace_id: workspaceId })
    .first('id');
  return row?.id;
}

function fromRow(row: ChannelRow): ChannelRecord {
  return {
    id: row.id,
    publicId: row.public_id,
    workspaceId: row.workspace_id,
    workspacePublicId: row.workspace_public_id,
    organizationId: row.organization_id,
    type: row.type,
    displayName: row.display_name,
    resourceId: row.resource_id,
    connectionType: row.connection_type,
    credentialPublicId: row.credential_public_id,
    connected: row.disconnected_at === null,
    disconnectedReason: row.disconnected_reason,
    forwardingEnabled: row.forwarding_enabled,
    webhookUrl: row.webhook_url,
    linkedChannelPublicId: row.linked_public_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
