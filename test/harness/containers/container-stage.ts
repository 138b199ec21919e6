import { createHash } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { containerInput } from '../../../openapi/containers/schema.ts';
import { insertContainer } from '../../../db/containers/containers.ts';
import { type ContainerRecord, loadContainer } from '../../../db/containers/records.ts';
import { aContainer, carouselBody, imageBody, type SampleContainer } from './containers.ts';
import { aChannel } from '../tenants.ts';
import { tenantDatabase } from '../tenant-database.ts';

export type ContainerOptions = Partial<Pick<SampleContainer, 'body' | 'status'>>;

export async function containerStage(t: ExecutionContext<unknown>) {
  const { db, url, another, tenant } = await tenantDatabase(t);
  const channel = await aChannel(db, tenant.workspace, { type: 'photoapp', resourceId: '200000000000011' });

  return {
    db,
    url,
    tenant,
    channel,
    place: { channelId: channel.id, workspaceId: tenant.workspace.id },
    image: async (options: ContainerOptions = {}) =>
      await aContainer(db, { channel, workspace: tenant.workspace, ...options }),
    carousel: async (options: ContainerOptions = {}) =>
      await aContainer(db, { channel, workspace: tenant.workspace, body: carouselBody, ...options }),
    read: async ({ publicId }: Pick<ContainerRecord, 'publicId'>): Promise<ContainerRecord> => {
      const container = await loadContainer(db, publicId);
      if (!container) throw new Error(`No container ${publicId}`);
      return container;
    },
    row: async ({ id }: Pick<ContainerRecord, 'id'>): Promise<Readonly<Record<string, unknown>>> =>
      await db('media_containers').where({ id }).first(),
    part: async ({ id }: Pick<ContainerRecord, 'id'>, position = 0): Promise<Readonly<Record<string, unknown>>> =>
      await db('container_parts').where({ container_id: id, position }).first(),
    another,
    insertWithKey: async (
      on: Knex,
      { key, body = imageBody, channelId = channel.id }: { key: string; body?: object; channelId?: number },
    ) =>
      await insertContainer(on, {
        channelId,
        workspaceId: tenant.workspace.id,
        request: containerInput.parse(body),
        requestHash: createHash('sha256').update(JSON.stringify(body)).digest(),
        idempotency: { keyHash: Buffer.alloc(32, key) },
      }),
  };
}
