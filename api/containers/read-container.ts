import { containerMayBecome, finalContainerStatuses } from '../../contract/containers/status.ts';
import type { ContainerRecord } from '../../db/containers/records.ts';
import type { ContainerProgress } from '../../workflows/messages/containers.ts';
import type { ApiDeps } from '../requests/deps.ts';

/**
 * A container as its workflow knows it, where one answers at once, and as its row has it otherwise. Where the workflow
 * has moved on, the row is read again: it was written first, and has what else came with the move.
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

/** Lays the workflow's word over the row's, only where that leads forwards. */
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

/** A run that has taken over does not know of the looks before it. */
function laterOf(known: Date | null, told: string | null): Date | null {
  const date = told === null ? null : new Date(told);
  if (known === null || date === null) return known ?? date;
  return date > known ? date : known;
}
