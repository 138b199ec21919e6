import { randomInt } from 'node:crypto';

export const mediaTypes = ['IMAGE', 'VIDEO', 'REELS', 'STORIES', 'CAROUSEL'] as const;
export type MediaType = (typeof mediaTypes)[number];

export interface ContainerRequest {
  readonly account: string;
  readonly mediaType: MediaType;
  readonly isCarouselItem: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  readonly children: readonly string[];
}

export interface Container extends ContainerRequest {
  readonly id: string;
  readonly createdAtMs: number;
  readonly readyAtMs: number;
  readonly errorSubcode: number | null;
  readonly mediaId: string | null;
}

export type StatusCode = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'PUBLISHED' | 'EXPIRED';

export const DAY_MS = 86_400_000;
const MAX_KEPT = 8_000;
/** The prefixes show what an unknown id was. */
const CONTAINER_PREFIX = '1789';
const MEDIA_PREFIX = '1800';

export type ContainerStore = ReturnType<typeof createContainerStore>;

export function createContainerStore() {
  const containers = new Map<string, Container>();

  return {
    add(fields: Omit<Container, 'id' | 'mediaId'>): Container {
      const container = { ...fields, id: newId(CONTAINER_PREFIX), mediaId: null };
      containers.set(container.id, container);
      const [oldest] = containers.keys();
      if (containers.size > MAX_KEPT && oldest !== undefined) containers.delete(oldest);
      return container;
    },
    /** Returns the id of the media. */
    publish(container: Container): string {
      const mediaId = newId(MEDIA_PREFIX);
      containers.set(container.id, { ...container, mediaId });
      return mediaId;
    },
    find: (id: string) => containers.get(id),
    list: () => [...containers.values()],
    clear: () => containers.clear(),
  };
}

/** Published is the only status that does not depend on the time. */
export function statusOf(container: Container, nowMs: number): StatusCode {
  if (container.mediaId !== null) return 'PUBLISHED';
  const isReady = nowMs >= container.readyAtMs;
  if (isReady && container.errorSubcode !== null) return 'ERROR';
  if (nowMs - container.createdAtMs >= DAY_MS) return 'EXPIRED';
  return isReady ? 'FINISHED' : 'IN_PROGRESS';
}

export function looksLikeContainer(id: string): boolean {
  return id.startsWith(CONTAINER_PREFIX) && id.length === CONTAINER_PREFIX.length + 13;
}

function newId(prefix: string): string {
  const digits = `${randomInt(1e6)}`.padStart(6, '0') + `${randomInt(1e7)}`.padStart(7, '0');
  return prefix + digits;
}
