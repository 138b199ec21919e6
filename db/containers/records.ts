import type { Knex } from 'knex';
import { raw } from 'objection';
import type { MediaType } from '../../contract/containers/media-types.ts';
import type { ContainerStatus, PartOutcome, PlatformContainerState } from '../../contract/containers/status.ts';
import type { PlatformRefusalCode } from '../../contract/errors.ts';
import type { Acceptance, StartedContainer } from '../../contract/containers/workflow.ts';
import type { ContainerInput } from '../../openapi/containers/schema.ts';
import { MediaContainerModel } from '../models/media-container.ts';

/** Position 0 is the container, 1 and up are a carousel's children. */
export interface ContainerPart {
  readonly position: number;
  readonly sent: boolean;
  readonly outcome: PartOutcome | null;
  readonly platformId: string | null;
  readonly state: PlatformContainerState | null;
}

export interface ContainerRecord {
  readonly id: number;
  readonly publicId: string;
  readonly channelId: number;
  readonly workspaceId: number;
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  readonly status: ContainerStatus;
  readonly statusDetail: string | null;
  /** What the last refusal of the platform means. */
  readonly refusalCode: PlatformRefusalCode | null;
  readonly refusalRetryAt: Date | null;
  readonly mediaType: MediaType;
  readonly request: ContainerInput;
  readonly childCount: number;
  readonly autoPublish: boolean;
  readonly platformContainerId: string | null;
  readonly mediaId: string | null;
  readonly permalink: string | null;
  readonly createdAt: Date;
  /** Until when it may be sent to the platform. */
  readonly createBy: Date;
  readonly checkedAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly expiresAt: Date;
  readonly publishSentAt: Date | null;
  readonly publishedAt: Date | null;
  /** When the platform last refused to create the carousel, or to publish, because it is not finished. */
  readonly tooEarlyAt: Date | null;
  readonly parts: readonly ContainerPart[];
  readonly acceptance: Acceptance | null;
}

export function containerStartOf(container: ContainerRecord): StartedContainer {
  return {
    containerId: container.publicId,
    channelId: container.channelPublicId,
    workspaceId: container.workspacePublicId,
    mediaType: container.mediaType,
    childCount: container.childCount,
    autoPublish: container.autoPublish,
    expiresAtMs: container.expiresAt.getTime(),
    status: container.status,
  };
}

type StoredContainer = Omit<ContainerRecord, 'platformContainerId' | 'acceptance'>;

const columns = [
  ...['id', 'public_id', 'channel_id', 'workspace_id', 'status', 'status_detail', 'media_type', 'request'],
  ...[
    'child_count',
    'auto_publish',
    'media_id',
    'permalink',
    'created_at',
    'create_by',
    'checked_at',
    'next_check_at',
    'expires_at',
  ],
  ...['publish_sent_at', 'published_at', 'too_early_at', 'refusal_code', 'refusal_retry_at'],
].map((column) => `media_containers.${column}`);

const partsSql = `(
  select json_agg(json_build_object('position', p.position, 'sent', p.sent_at is not null, 'outcome', p.outcome,
    'platformId', p.platform_id, 'state', p.state) order by p.position)
  from container_parts p where p.container_id = media_containers.id) as parts`;

function selectContainers(db: Knex) {
  return MediaContainerModel.query(db)
    .joinRelated('[channel, workspace]')
    .select(columns)
    .select('channel.public_id as channel_public_id', 'workspace.public_id as workspace_public_id')
    .select('workspace.organization_id')
    .select(raw(partsSql));
}

export async function loadContainer(db: Knex, publicId: string): Promise<ContainerRecord | undefined> {
  const container = await selectContainers(db)
    .findOne({ 'media_containers.public_id': publicId })
    .castTo<StoredContainer | undefined>();
  return container && withDerived(container);
}

export interface ContainerPlace {
  readonly channelId: number;
  readonly workspaceId: number;
}

export async function findContainer(
  db: Knex,
  { publicId, channelId, workspaceId }: ContainerPlace & { readonly publicId: string },
): Promise<ContainerRecord | undefined> {
  const container = await selectContainers(db)
    .findOne({
      'media_containers.public_id': publicId,
      'media_containers.channel_id': channelId,
      'media_containers.workspace_id': workspaceId,
    })
    .castTo<StoredContainer | undefined>();
  return container && withDerived(container);
}

export async function findContainerByKey(
  db: Knex,
  { channelId, keyHash }: { readonly channelId: number; readonly keyHash: Buffer },
): Promise<(ContainerRecord & { readonly requestHash: Buffer }) | undefined> {
  const container = await selectContainers(db)
    .select('media_containers.request_hash')
    .findOne({ 'media_containers.channel_id': channelId, 'media_containers.idempotency_key_hash': keyHash })
    .castTo<(StoredContainer & { readonly requestHash: Buffer }) | undefined>();
  return container && withDerived(container);
}

export interface ContainerPage extends ContainerPlace {
  readonly status?: ContainerStatus | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

export async function listContainers(db: Knex, page: ContainerPage): Promise<ContainerRecord[] | undefined> {
  const { channelId, workspaceId, status, after, limit } = page;
  const query = selectContainers(db)
    .where({ 'media_containers.channel_id': channelId, 'media_containers.workspace_id': workspaceId })
    .orderBy('media_containers.id', 'desc')
    .limit(limit);
  if (status !== undefined) query.where({ 'media_containers.status': status });
  if (after !== undefined) {
    const last = await MediaContainerModel.query(db)
      .select('id')
      .findOne({ public_id: after, channel_id: channelId, workspace_id: workspaceId });
    if (!last) return undefined;
    query.where('media_containers.id', '<', last.id);
  }
  return (await query.castTo<StoredContainer[]>()).map(withDerived);
}

function withDerived<Container extends StoredContainer>(container: Container): Container & ContainerRecord {
  const itself = container.parts.find(({ position }) => position === 0);
  return { ...container, platformContainerId: itself?.platformId ?? null, acceptance: acceptanceOf(container) };
}

/** A create waits for the container, or for all children of a carousel. */
function acceptanceOf({ status, childCount, parts }: StoredContainer): Acceptance | null {
  const awaited = parts.filter(({ position }) => (childCount === 0 ? position === 0 : position > 0));
  if (awaited.every(({ outcome }) => outcome === 'accepted')) return 'accepted';
  if (status === 'unknown') return 'lost';
  const failures = ['rejected', 'lost', 'not_sent'] as const;
  return failures.find((failure) => awaited.some(({ outcome }) => outcome === failure)) ?? null;
}
