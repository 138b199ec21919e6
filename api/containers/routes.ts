import { containerRoutes as routes } from '../../openapi/containers/routes.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { type ContainerRecord, findContainer, listContainers } from '../../db/containers/records.ts';
import { createContainer } from './create-container.ts';
import { NotFound } from '../requests/errors.ts';
import { type Mount, mountRoute } from '../routing/mount-route.ts';
import { readNamedPage } from '../routing/page.ts';
import { locationOf, presentContainer, withNames } from './present.ts';
import { publishContainer } from './publish-container.ts';
import { containerMayBecome, finalContainerStatuses } from '../../contract/containers/status.ts';
import type { ContainerProgress } from '../../workflows/messages/messages.ts';
import type { ApiDeps } from '../requests/deps.ts';

export function mountContainerRoutes(mount: Mount): void {
  const { deps } = mount;
  const { db } = deps;

  mountRoute(mount, routes.createContainer, async ({ channel, body, idempotencyKey, setHeader }) => {
    const container = await createContainer(deps, { channel, request: body, idempotencyKey });
    setHeader('location', locationOf(container));
    return withNames(container);
  });

  mountRoute(mount, routes.listContainers, async ({ channel, query }) => {
    const page = await readNamedPage(query, 'publicId', (after) =>
      listContainers(db, { ...placeOf(channel), status: query.status, ...after }),
    );
    return { containers: page.items.map(presentContainer), nextCursor: page.nextCursor };
  });

  mountRoute(mount, routes.getContainer, async ({ channel, params }) => {
    return presentContainer(await readContainer(deps, () => findOne(channel, params.ctr)));
  });

  mountRoute(mount, routes.publishContainer, async ({ channel, params }) => {
    const look = () => findOne(channel, params.ctr);
    return withNames(await publishContainer(deps, { channel, look }));
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

/**
 * Returns a container with its workflow's progress, if the workflow answers promptly. If the statuses differ, the row
 * is read again: it was written first and has the other fields.
 */
async function readContainer(
  { starts }: Pick<ApiDeps, 'starts'>,
  look: () => Promise<ContainerRecord>,
): Promise<ContainerRecord> {
  const container = await look();
  if (finalContainerStatuses.includes(container.status)) return container;
  const progress = await starts.containerProgress(container.publicId);
  if (!progress) return container;
  return withProgress(progress.status === container.status ? container : await look(), progress);
}

/**
 * Ignores progress that would move the status backwards. A late response continues an `unknown` container in the row
 * first, so other progress is older.
 */
function withProgress(container: ContainerRecord, progress: ContainerProgress): ContainerRecord {
  const hasMoved = progress.status !== container.status;
  const isOlder = container.status === 'unknown' || !containerMayBecome(container.status, progress.status);
  if (hasMoved && isOlder) return container;
  const isFinal = finalContainerStatuses.includes(progress.status);
  const nextCheckAt = progress.nextCheckAt === null ? null : new Date(progress.nextCheckAt);
  return {
    ...container,
    status: progress.status,
    checkedAt: laterOf(container.checkedAt, progress.checkedAt),
    nextCheckAt: isFinal ? null : (nextCheckAt ?? container.nextCheckAt),
  };
}

/** A continued run does not know the polls of earlier runs. */
function laterOf(known: Date | null, reported: string | null): Date | null {
  const date = reported === null ? null : new Date(reported);
  if (known === null || date === null) return known ?? date;
  return date > known ? date : known;
}
