import { finalContainerStatuses } from '../../contract/containers/status.ts';
import type { ContainerBody, ContainerChildStatus } from '../../openapi/containers/schema.ts';
import type { ContainerPart, ContainerRecord } from '../../db/containers/records.ts';

export function presentContainer(container: ContainerRecord) {
  const { caption = null } = container.request;
  return { ...withNames(container), caption, children: presentChildren(container) };
}

export function withNames(container: ContainerRecord) {
  return { ...container, channelId: container.channelPublicId, containerId: container.publicId };
}

export function locationOf({ channelPublicId, publicId }: ContainerRecord): string {
  return `/channels/${channelPublicId}/photoapp/containers/${publicId}`;
}

function presentChildren(container: ContainerRecord): ContainerBody['children'] {
  const { children } = container.request;
  if (!children || container.childCount === 0) return null;
  return children.map(({ imageUrl = null, videoUrl = null }, index) => {
    const part = container.parts.find(({ position }) => position === index + 1);
    return { index, imageUrl, videoUrl, status: part ? childStatus(part, container) : 'creating' };
  });
}

function childStatus({ outcome, state }: ContainerPart, { status }: ContainerRecord): ContainerChildStatus {
  switch (outcome) {
    case 'accepted':
      // The platform publishes only the whole container, so the child has finished.
      return state === 'published' ? 'finished' : (state ?? 'in_progress');
    case 'rejected':
    case 'not_sent':
      return 'error';
    case 'lost':
      return 'unknown';
    case null:
      // No further child is created once the container has ended.
      return finalContainerStatuses.includes(status) ? 'error' : 'creating';
  }
}
