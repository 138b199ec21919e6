import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { ContainerStatus, PartOutcome } from '../../../contract/containers/status.ts';
import { containerInput } from '../../../openapi/containers/schema.ts';
import { recordPart, takePart } from '../../../db/containers/parts.ts';
import { insertContainer } from '../../../db/containers/containers.ts';
import { type ContainerRecord, loadContainer } from '../../../db/containers/records.ts';
import type { Workspace } from '../../../db/organizations/workspaces.ts';
import type { TestChannel } from '../tenants.ts';

export const imageBody = { mediaType: 'IMAGE', imageUrl: 'https://media.example.com/1.jpg', caption: 'Hello' } as const;
export const carouselBody = {
  mediaType: 'CAROUSEL',
  children: [{ imageUrl: 'https://media.example.com/1.jpg' }, { videoUrl: 'https://media.example.com/2.mp4' }],
} as const;

export interface SampleContainer {
  readonly channel: TestChannel;
  readonly workspace: Workspace;
  readonly body?: object;
  readonly status?: ContainerStatus;
}

export async function aContainer(
  db: Knex,
  { channel, workspace, body = imageBody, status }: SampleContainer,
): Promise<ContainerRecord> {
  const { container } = await insertContainer(db, {
    channelId: channel.id,
    workspaceId: workspace.id,
    request: containerInput.parse(body),
    requestHash: randomBytes(32),
    idempotency: null,
  });
  if (status === undefined) return container;
  await setContainer(db, container.publicId, { status });
  return (await loadContainer(db, container.publicId)) ?? container;
}

export async function setContainer(
  db: Knex,
  publicId: string,
  { status, ...columns }: { readonly status: ContainerStatus } & Readonly<Record<string, unknown>>,
): Promise<void> {
  const isFinal = ['published', 'error', 'expired'].includes(status);
  const { id } = await db('media_containers').where({ public_id: publicId }).first('id');
  await db('media_containers')
    .where({ id })
    .update({
      status,
      ...(isFinal && { ended_at: new Date(), next_check_at: null }),
      ...(status === 'published' && { published_at: new Date() }),
      ...columns,
    });
  if (!['in_progress', 'finished', 'publishing', 'published'].includes(status)) return;
  await db('container_parts')
    .where({ container_id: id })
    .update({ sent_at: new Date(), outcome: 'accepted', state: 'finished', platform_id: db.raw('10000 + position') });
}

export async function settleCreate(
  db: Knex,
  containerId: string,
  {
    outcome,
    detail,
    position,
  }: { readonly outcome: PartOutcome; readonly detail?: string; readonly position?: number },
): Promise<void> {
  const container = await loadContainer(db, containerId);
  if (!container) throw new Error(`No container ${containerId}`);
  const awaited = container.parts.filter((part) => (container.childCount === 0) === (part.position === 0));
  for (const part of awaited.filter((one) => position === undefined || one.position === position)) {
    const key = { id: container.id, position: part.position };
    if (outcome !== 'not_sent') await takePart(db, key);
    const platformId = outcome === 'accepted' ? { platformId: `${container.id}${part.position}` } : {};
    await recordPart(db, { ...key, outcome, ...platformId, ...(detail !== undefined && { detail }) });
  }
}
