import { containerRoutes as routes } from '../../openapi/containers/routes.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { type ContainerRecord, findContainer, listContainers } from '../../db/containers/records.ts';
import { createContainer } from './create-container.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountOperation } from '../routing/operation.ts';
import { readPage } from '../routing/page.ts';
import { locationOf, namesOf, presentContainer, presentPublished } from './present.ts';
import { publishContainer } from './publish-container.ts';
import { readContainer } from './read-container.ts';

export function mountContainerRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountOperation(mount, routes.createContainer, async ({ channel, body, idempotencyKey, setHeader }) => {
    const container = await createContainer(deps, { channel, request: body, idempotencyKey });
    setHeader('location', locationOf(container));
    return namesOf(container);
  });

  mountOperation(mount, routes.listContainers, async ({ channel, query }) => {
    const { status, cursor: after } = query;
    const page = await readPage(query.limit, {
      read: (limit) => listContainers(db, { ...placeOf(channel), status, after, limit }),
      cursorOf: ({ publicId }) => publicId,
    });
    return { containers: page.items.map(presentContainer), nextCursor: page.nextCursor };
  });

  mountOperation(mount, routes.getContainer, async ({ channel, params }) => {
    return presentContainer(await readContainer(deps, () => findOne(channel, params.ctr)));
  });

  mountOperation(mount, routes.publishContainer, async ({ channel, params }) => {
    const look = () => findOne(channel, params.ctr);
    return presentPublished(await publishContainer(deps, { channel, look }));
  });

  async function findOne(channel: ChannelRecord, publicId: string): Promise<ContainerRecord> {
    const container = await findContainer(db, { ...placeOf(channel), publicId });
    if (!container) throw new NotFound('CONTAINER_NOT_FOUND');
    return container;
  }
}

/** Containers of an earlier workspace are visible only there. */
function placeOf({ id, workspaceId }: ChannelRecord) {
  return { channelId: id, workspaceId };
}
