/**
 * The states of a media container and their transitions.
 *
 * - `creating`: the platform has not accepted it, or not the parent of a carousel.
 * - `in_progress`: the platform processes it. `finished`: it can be published.
 * - `publishing`: a publish may have been sent and its outcome is not known.
 * - `unknown`: the response to the create was lost and the container cannot be found. A late response continues it;
 * otherwise it expires when the platform would delete it. A publish whose outcome cannot be read by then also ends as
 * `unknown`.
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
  // Other users of the account can publish it.
  in_progress: ['finished', 'published', 'error', 'expired'],
  finished: ['publishing', 'published', 'error', 'expired'],
  // Back to an earlier status only if the platform is known not to have published.
  publishing: ['published', 'finished', 'in_progress', 'error', 'expired', 'unknown'],
  unknown: ['creating', 'in_progress', 'error', 'expired'],
  published: [],
  error: [],
  expired: [],
};

export function containerMayBecome(from: ContainerStatus, to: ContainerStatus): boolean {
  return next[from].includes(to);
}

export function containerStatusesBefore(to: ContainerStatus): ContainerStatus[] {
  return containerStatuses.filter((from) => containerMayBecome(from, to));
}

export const finalContainerStatuses = containerStatuses.filter((status) => next[status].length === 0);

export const partOutcomes = ['accepted', 'rejected', 'lost', 'not_sent'] as const;
export type PartOutcome = (typeof partOutcomes)[number];

export const platformContainerStates = ['in_progress', 'finished', 'published', 'error', 'expired'] as const;
export type PlatformContainerState = (typeof platformContainerStates)[number];

/** The platform deletes a container after this time. */
export const CONTAINER_LIFE_MS = 24 * 3_600_000;
/** The client has stopped waiting by then. */
export const CREATE_DEADLINE_MS = 30_000;
