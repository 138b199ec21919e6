import { containerMayBecome, finalContainerStatuses } from '../../contract/containers/status.ts';
import type { ContainerRecord } from '../../db/containers/records.ts';
import type { ContainerProgress } from '../../workflows/messages/messages.ts';
import type { ApiDeps } from '../requests/deps.ts';

/**
 * Returns a container with its workflow's progress, if the workflow answers promptly. If the statuses differ, the row
 * is read again: it was written first and has the other fields.
 */
export async function readContainer(
  { temporal }: Pick<ApiDeps, 'temporal'>,
  look: () => Promise<ContainerRecord>,
): Promise<ContainerRecord> {
  const container = await look();
  if (finalContainerStatuses.includes(container.status)) return container;
  const progress = await temporal.containerProgress(container.publicId);
  if (!progress) return container;
  return withProgress(progress.status === container.status ? container : await look(), progress);
}

/** Ignores progress that would move the status backwards. */
function withProgress(container: ContainerRecord, progress: ContainerProgress): ContainerRecord {
  const hasMoved = progress.status !== container.status;
  if (hasMoved && !containerMayBecome(container.status, progress.status)) return container;
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
