import type { Knex } from 'knex';
import type { ContainerStatus, PartOutcome, PlatformContainerState } from '../../contract/containers/status.ts';
import type { Acceptance } from '../../contract/containers/workflow.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';

/** A piece of a container at the platform: 0 is the container itself (of a carousel the parent), 1 … its children. */
export interface ContainerPart {
  readonly position: number;
  readonly sent: boolean;
  readonly outcome: PartOutcome | null;
  readonly platformId: string | null;
  readonly state: PlatformContainerState | null;
}

/** A container as the API shows it, with the numbers that other queries take. */
export interface ContainerRecord {
  readonly id: number;
  readonly publicId: string;
  readonly channelId: number;
  readonly workspaceId: number;
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly status: ContainerStatus;
  readonly statusDetail: string | null;
  readonly mediaType: ContainerInput['mediaType'];
  readonly request: ContainerInput;
  readonly childCount: number;
  readonly autoPublish: boolean;
  readonly platformContainerId: string | null;
  readonly mediaId: string | null;
  readonly permalink: string | null;
  readonly createdAt: Date;
  readonly checkedAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly expiresAt: Date;
  readonly publishSentAt: Date | null;
  readonly publishedAt: Date | null;
  readonly parts: readonly ContainerPart[];
  /** Null while it is open whether the platform takes what a create waits for. */
  readonly acceptance: Acceptance | null;
}

interface ContainerRow {
  id: number;
  public_id: string;
  channel_id: number;
  workspace_id: number;
  channel_public_id: string;
  workspace_public_id: string;
  status: ContainerStatus;
  status_detail: string | null;
  media_type: ContainerInput['mediaType'];
  request: ContainerInput;
  child_count: number;
  auto_publish: boolean;
  media_id: string | null;
  permalink: string | null;
  created_at: Date;
  checked_at: Date | null;
  next_check_at: Date | null;
  expires_at: Date;
  publish_sent_at: Date | null;
  published_at: Date | null;
  parts: ContainerPart[];
}

/** A container by its id, in whatever workspace it is: for its own workflow. */
export async function loadContainer(db: Knex, publicId: string): Promise<ContainerRecord | undefined> {
  const { rows } = await db.raw<{ rows: ContainerRow[] }>(`${recordSql} where m.public_id = ?`, [publicId]);
  return rows[0] && fromRow(rows[0]);
}

export interface ContainerPlace {
  readonly channelId: number;
  readonly workspaceId: number;
}

/** A container of this channel that was made in this workspace. */
export async function findContainer(
  db: Knex,
  { publicId, channelId, workspaceId }: ContainerPlace & { readonly publicId: string },
): Promise<ContainerRecord | undefined> {
  const { rows } = await db.raw<{ rows: ContainerRow[] }>(
    `${recordSql} where m.public_id = ? and m.channel_id = ? and m.workspace_id = ?`,
    [publicId, channelId, workspaceId],
  );
  return rows[0] && fromRow(rows[0]);
}

/** The container that an idempotency key has made; undefined where it has made none. */
export async function findContainerByKey(
  db: Knex,
  { channelId, keyHash }: { readonly channelId: number; readonly keyHash: Buffer },
): Promise<(ContainerRecord & { readonly requestHash: Buffer }) | undefined> {
  const { rows } = await db.raw<{ rows: (ContainerRow & { request_hash: Buffer })[] }>(
    `${recordSql} where m.channel_id = ? and m.idempotency_key_hash = ?`,
    [channelId, keyHash],
  );
  const [row] = rows;
  return row && { ...fromRow(row), requestHash: row.request_hash };
}

/** The containers of a channel, newest first; undefined when `after` names none of them. */
export async function listContainers(
  db: Knex,
  page: ContainerPlace & {
    readonly status?: ContainerStatus | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<ContainerRecord[] | undefined> {
  const last = page.after === undefined ? null : (await findContainer(db, { ...page, publicId: page.after }))?.id;
  if (last === undefined) return undefined;
  const { rows } = await db.raw<{ rows: ContainerRow[] }>(
    `${recordSql} where m.channel_id = :channelId and m.workspace_id = :workspaceId
       and (cast(:last as bigint) is null or m.id < cast(:last as bigint))
       and (cast(:status as text) is null or m.status = cast(:status as text))
     order by m.id desc limit :limit`,
    { ...page, status: page.status ?? null, last },
  );
  return rows.map(fromRow);
}

/**
 * Containers that ought to have been looked at by now and were not, oldest first: nobody carries them. The grace covers
 * a look that takes its time and a worker that has just started.
 */
export async function listOverdueContainers(
  db: Knex,
  { graceMs, limit }: { readonly graceMs: number; readonly limit: number },
): Promise<ContainerRecord[]> {
  const { rows } = await db.raw<{ rows: ContainerRow[] }>(
    `${recordSql} where m.ended_at is null and m.next_check_at < clock_timestamp() - ? * interval '1 millisecond'
     order by m.next_check_at limit ?`,
    [graceMs, limit],
  );
  return rows.map(fromRow);
}

const recordSql = `
select m.*, c.public_id as channel_public_id, w.public_id as workspace_public_id,
  (select json_agg(json_build_object('position', p.position, 'sent', p.sent_at is not null, 'outcome', p.outcome,
     'platformId', p.platform_id, 'state', p.state) order by p.position)
   from container_parts p where p.container_id = m.id) as parts
from media_containers m
join channels c on c.id = m.channel_id
join workspaces w on w.id = m.workspace_id`;

function fromRow(row: ContainerRow): ContainerRecord {
  return {
    id: row.id,
    publicId: row.public_id,
    channelId: row.channel_id,
    workspaceId: row.workspace_id,
    channelPublicId: row.channel_public_id,
    workspacePublicId: row.workspace_public_id,
    status: row.status,
    statusDetail: row.status_detail,
    mediaType: row.media_type,
    request: row.request,
    childCount: row.child_count,
    autoPublish: row.auto_publish,
    platformContainerId: row.parts.find(({ position }) => position === 0)?.platformId ?? null,
    mediaId: row.media_id,
    permalink: row.permalink,
    createdAt: row.created_at,
    checkedAt: row.checked_at,
    nextCheckAt: row.next_check_at,
    expiresAt: row.expires_at,
    publishSentAt: row.publish_sent_at,
    publishedAt: row.published_at,
    parts: row.parts,
    acceptance: acceptanceOf(row),
  };
}

/** What a create waits for: the container itself, or all children of a carousel. */
function acceptanceOf({ status, child_count, parts }: ContainerRow): Acceptance | null {
  const awaited = parts.filter(({ position }) => (child_count === 0 ? position === 0 : position > 0));
  if (awaited.every(({ outcome }) => outcome === 'accepted')) return 'accepted';
  if (status === 'unknown') return 'lost';
  const failures = ['rejected', 'lost', 'not_sent'] as const;
  return failures.find((failure) => awaited.some(({ outcome }) => outcome === failure)) ?? null;
}
