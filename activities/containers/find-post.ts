import type { Knex } from 'knex';
import { attributedPosts } from '../../db/containers/publish.ts';
import type { ContainerRecord } from '../../db/containers/records.ts';
import { PlatformRejected } from '../../platform/client/errors.ts';
import type { RecentMedia } from '../../platform/media/answers.ts';
import type { PlatformAccountAccess, PlatformMedia } from '../../platform/media/media.ts';

export interface PostSearch {
  readonly db: Knex;
  readonly platformMedia: Pick<PlatformMedia, 'recentMedia'>;
  readonly container: ContainerRecord;
  readonly account: PlatformAccountAccess;
  readonly signal: AbortSignal;
}

/** Tolerated difference between the platform's clock and ours. */
const CLOCK_SLACK_MS = 60_000;

export const POST_NOT_FOUND =
  'Published, but its post is unknown: the platform did not name it, and no single recent post of the account matches.';

/**
 * Finds the post of a container whose publish did not name it. Returns undefined if no post or several posts match, and
 * if the platform refuses the list.
 */
export async function findPost(search: PostSearch): Promise<RecentMedia | undefined> {
  const { db, platformMedia, container, account, signal } = search;
  const list = { stories: container.mediaType === 'STORIES' };
  const recent = await platformMedia.recentMedia(account, list, signal).catch((error: unknown) => {
    if (error instanceof PlatformRejected) return [];
    throw error;
  });
  const candidates = recent.filter((post) => isPossiblePost(post, container));
  const mediaIds = candidates.map(({ id }) => id);
  const taken = await attributedPosts(db, { channelId: container.channelId, mediaIds });
  const free = candidates.filter(({ id }) => !taken.has(id));
  return free.length === 1 ? free[0] : undefined;
}

export function isPossiblePost(post: RecentMedia, container: ContainerRecord): boolean {
  const { request, mediaType, publishSentAt, createdAt } = container;
  // Other users of the account can publish a container, too.
  const earliestMs = (publishSentAt ?? createdAt).getTime() - CLOCK_SLACK_MS;
  if (post.postedAt.getTime() < earliestMs) return false;
  if (mediaType !== 'STORIES' && (post.caption ?? '').trim() !== (request.caption ?? '').trim()) return false;
  switch (mediaType) {
    case 'CAROUSEL':
      return post.kind === 'carousel';
    case 'IMAGE':
      return post.kind === 'image';
    case 'VIDEO':
    case 'REELS':
      return post.kind === 'video';
    case 'STORIES':
      return post.kind === (request.videoUrl === undefined ? 'image' : 'video');
  }
}
