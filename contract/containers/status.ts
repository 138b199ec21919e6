/**
 * The states of a media container and their transitions.
 *
 * - `creating`: the platform has not accepted it yet, or not the parent of a carousel.
 * - `in_progress`: the platform is processing it. `finished`: it can be published.
 * - `publishing`: a publish may have been sent and its outcome is not known yet.
 * - `unknown`: the response to the create was lost, and the platform has no way to find the container. It expires when the
 *   platform would delete it. A publish whose outcome cannot be read before then ends as `unknown`.
 */
export const containerStatuses = [
  'creating',
  'in_progress',
  'finished',
  'publishing',
  'published',
  'error',
  'expired',
  'unknown',
] as const;
export type ContainerStatus = (typeof containerStatuses)[number];

const next: Readonly<Record<ContainerStatus, readonly ContainerStatus[]>> = {
  creating: ['in_progress', 'error', 'expired', 'unknown'],
  // Another user of the account can publish it, and the platform can expire it.
  in_progress: ['finished', 'published', 'error', 'expired'],
  finished: ['publishing', 'published', 'error', 'expired'],
  // Goes back only if the platform certainly did not publish: still processing, or refused.
  publishing: ['published', 'finished', 'in_progress', 'error', 'expired', 'unknown'],
  unknown: ['expired'],
  published: [],
  error: [],
  expired: [],
};

export function containerMayBecome(from: ContainerStatus, to: ContainerStatus): boolean {
  return next[from].includes(to);
}

/** Returns the statuses that can change to this one, for conditional updates. */
export function containerStatusesBefore(to: ContainerStatus): ContainerStatus[] {
  return containerStatuses.filter((from) => containerMayBecome(from, to));
}

export const finalContainerStatuses = containerStatuses.filter((status) => next[status].length === 0);

/** Outcomes of the call that creates a part of a container at the platform. */
export const partOutcomes = ['accepted', 'rejected', 'lost', 'not_sent'] as const;
export type PartOutcome = (typeof partOutcomes)[number];

export const platformContainerStates = ['in_progress', 'finished', 'published', 'error', 'expired'] as const;
export type PlatformContainerState = (typeof platformContainerStates)[number];

/** The platform deletes a container this long after its creation. */
export const CONTAINER_LIFE_MS = 24 * 3_600_000;
/** A create that was not sent by then is not sent any more, because the client has stopped waiting. */
export const CREATE_DEADLINE_MS = 30_000;
