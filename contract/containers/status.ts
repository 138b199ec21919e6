/**
 * What a media container can be, and what it can become. A container is `creating` until the platform has taken it (a
 * carousel: until it has taken the parent), `in_progress` while the platform works on it, `finished` when it may be
 * published, `publishing` from the moment its publish may have left for the platform until its outcome is known.
 * `unknown` is a create whose answer was lost: nothing finds it again, and it ends with the platform's own life of a
 * container. A publish whose outcome nobody could read until then ends `unknown` for good.
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
  // Published and expired without our doing: somebody else holds the account too.
  in_progress: ['finished', 'published', 'error', 'expired'],
  finished: ['publishing', 'published', 'error', 'expired'],
  // Back where the platform certainly did not publish: still processing, or refused.
  publishing: ['published', 'finished', 'in_progress', 'error', 'expired', 'unknown'],
  unknown: ['expired'],
  published: [],
  error: [],
  expired: [],
};

/** Whether a container in one status may become the other. */
export function containerMayBecome(from: ContainerStatus, to: ContainerStatus): boolean {
  return next[from].includes(to);
}

/** The statuses from which this one may be reached: what a conditional update asks for. */
export function containerStatusesBefore(to: ContainerStatus): ContainerStatus[] {
  return containerStatuses.filter((from) => containerMayBecome(from, to));
}

/** Nothing comes after these. */
export const finalContainerStatuses = containerStatuses.filter((status) => next[status].length === 0);

/** What became of the one call that makes a part of a container at the platform. */
export const partOutcomes = ['accepted', 'rejected', 'lost', 'not_sent'] as const;
export type PartOutcome = (typeof partOutcomes)[number];

/** How far the platform is with a part that it has accepted. */
export const platformContainerStates = ['in_progress', 'finished', 'published', 'error', 'expired'] as const;
export type PlatformContainerState = (typeof platformContainerStates)[number];

/** The platform keeps a container this long after it was made, published or not. */
export const CONTAINER_LIFE_MS = 24 * 3_600_000;
/** A create that has not left by then stays here: whoever asked has long given up waiting. */
export const CREATE_DEADLINE_MS = 30_000;
