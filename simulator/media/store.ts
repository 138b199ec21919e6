import { randomBytes, randomInt } from 'node:crypto';

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
  readonly childIndex: number | null;
  readonly createdAtMs: number;
  readonly readyAtMs: number;
  readonly errorSubcode: number | null;
  readonly mediaId: string | null;
}

export type StatusCode = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'PUBLISHED' | 'EXPIRED';

export interface Post {
  readonly id: string;
  readonly account: string;
  readonly containerId: string;
  readonly mediaType: MediaType;
  readonly shortcode: string;
  readonly caption: string | null;
  readonly permalink: string;
  readonly postedAtMs: number;
  readonly parameters: Readonly<Record<string, string>>;
  readonly children: readonly string[];
}

export interface MediaStore {
  add(container: Omit<Container, 'id' | 'mediaId'>): Container;
  publish(container: Container, nowMs: number): Post;
  container(id: string): Container | undefined;
  post(id: string): Post | undefined;
  containers(): Container[];
  posts(): Post[];
  clear(): void;
}

export const DAY_MS = 86_400_000;
const MAX_KEPT = 8_000;
/** The prefixes show what an unknown id was. */
const CONTAINER_PREFIX = '1789';
const POST_PREFIX = '1800';

export function createMediaStore(): MediaStore {
  const containers = new Map<string, Container>();
  const posts = new Map<string, Post>();

  return {
    add(fields) {
      const container = { ...fields, id: newId(CONTAINER_PREFIX), mediaId: null };
      keep(containers, container);
      return container;
    },
    publish(container, nowMs) {
      const id = newId(POST_PREFIX);
      const shortcode = randomBytes(8).toString('base64url');
      const { account, mediaType, parameters, children } = container;
      const post: Post = {
        ...{ id, account, containerId: container.id, mediaType, shortcode, parameters, children },
        caption: parameters['caption'] ?? null,
        permalink: `https://photoapp.example/${permalinkFolder(mediaType)}/${shortcode}/`,
        postedAtMs: nowMs,
      };
      keep(posts, post);
      containers.set(container.id, { ...container, mediaId: id });
      return post;
    },
    container: (id) => containers.get(id),
    post: (id) => posts.get(id),
    containers: () => [...containers.values()],
    posts: () => [...posts.values()],
    clear() {
      containers.clear();
      posts.clear();
    },
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

function permalinkFolder(mediaType: MediaType): string {
  if (mediaType === 'STORIES') return 'stories';
  return mediaType === 'REELS' ? 'reel' : 'p';
}

function keep<T extends { readonly id: string }>(kept: Map<string, T>, item: T): void {
  kept.set(item.id, item);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

function newId(prefix: string): string {
  const digits = `${randomInt(1e6)}`.padStart(6, '0') + `${randomInt(1e7)}`.padStart(7, '0');
  return prefix + digits;
}
