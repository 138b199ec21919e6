import type { Knex } from 'knex';
import { raw } from 'objection';
import type { ContainerStatus, PartOutcome, PlatformContainerState } from '../../contract/containers/status.ts';
import type { Acceptance, StartedContainer } from '../../contract/containers/workflow.ts';
import { MediaContainerModel } from '../models/media-container.ts';
import { listAfter, type PageAfter, type RowOf } from '../core/model.ts';

/** Position 0 is the container, 1 and up are a carousel's children. */
export interface ContainerPart {
  readonly position: number;
  readonly sent: boolean;
  readonly outcome: PartOutcome | null;
  readonly platformId: string | null;
  readonly state: PlatformContainerState | null;
}

type StoredContainer = Omit<RowOf<MediaContainerModel>, 'idempotencyKeyHash'> & {
  readonly channelPublicId: string;
  readonly workspacePublicId: string;
  readonly organizationId: number;
  readonly parts: readonly ContainerPart[];
};

export type ContainerRecord = StoredContainer & {
  readonly platformContainerId: string | null;
  readonly acceptance: Acceptance | null;
};

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

const partsSql = `(
  select json_agg(json_build_object('position', p.position, 'sent', p.sent_at is not null, 'outcome', p.outcome,
    'platformId', p.platform_id, 'state', p.state) order by p.position)
  from container_parts p where p.container_id = media_containers.id) as parts`;

function selectContainers(db: Knex) {
  return MediaContainerModel.query(db)
    .joinRelated('[channel, workspace]')
    .select(
      'media_containers.*',
      'channel.public_id as channel_public_id',
      'workspace.public_id as workspace_public_id',
    )
    .select('workspace.organization_id')
    .select(raw(partsSql));
}

async function findOne(db: Knex, conditions: object): Promise<ContainerRecord | undefined> {
  const container = await selectContainers(db).findOne(conditions).castTo<StoredContainer | undefined>();
  return container && withDerived(container);
}

export async function loadContainer(db: Knex, publicId: string): Promise<ContainerRecord | undefined> {
  return await findOne(db, { 'media_containers.public_id': publicId });
}

export interface ContainerPlace {
  readonly channelId: number;
  readonly workspaceId: number;
}

const placed = ({ channelId, workspaceId }: ContainerPlace) => ({
  'media_containers.channel_id': channelId,
  'media_containers.workspace_id': workspaceId,
});

export async function findContainer(
  db: Knex,
  { publicId, ...place }: ContainerPlace & { readonly publicId: string },
): Promise<ContainerRecord | undefined> {
  return await findOne(db, { 'media_containers.public_id': publicId, ...placed(place) });
}

export async function findContainerByKey(
  db: Knex,
  { channelId, keyHash }: { readonly channelId: number; readonly keyHash: Buffer },
): Promise<ContainerRecord | undefined> {
  return await findOne(db, {
    'media_containers.channel_id': channelId,
    'media_containers.idempotency_key_hash': keyHash,
  });
}

export interface ContainerPage extends ContainerPlace, PageAfter {
  readonly status?: ContainerStatus | undefined;
}

export async function listContainers(
  db: Knex,
  { status, after, limit, ...place }: ContainerPage,
): Promise<ContainerRecord[] | undefined> {
  const query = selectContainers(db);
  if (status !== undefined) query.where({ 'media_containers.status': status });
  const containers = await listAfter<StoredContainer>(query, { of: placed(place), after, limit });
  return containers?.map(withDerived);
}

function withDerived(container: StoredContainer): ContainerRecord {
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
