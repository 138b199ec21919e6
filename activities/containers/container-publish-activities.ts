import {
  attributedPosts,
  recordPermalink,
  recordPublished,
  recordUnpublished,
  releaseToHand,
  takePublish,
} from '../../db/containers/publish.ts';
import { recordNextCheck } from '../../db/containers/parts.ts';
import { moveContainer } from '../../db/containers/containers.ts';
import type { ContainerRecord } from '../../db/containers/records.ts';
import { PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import type { PlatformAccountAccess, WriteAnswer } from '../../platform/media/media.ts';
import type { RecentMedia } from '../../platform/media/answers.ts';
import { findContainerAccount } from './find-container-account.ts';
import { type ContainerActivityDeps, refusalText, requireContainer } from './container-activities.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type ContainerPublishActivities = ReturnType<typeof createContainerPublishActivities>;

/** What came of one publish. `rejected_for_now` may go better later; `lost` has to be cleared up by reads. */
export type PublishStep =
  'published' | 'not_ready' | 'quota_exceeded' | 'rejected' | 'rejected_for_now' | 'unreachable' | 'lost' | 'ended';

/** What reads say about a publish whose answer was lost. */
export type Resolution = 'published' | 'unpublished' | 'unreadable' | 'ended';

interface OfContainer {
  readonly containerId: string;
}

interface ResolveLook extends OfContainer {
  /** When the next look will be, should this one tell nothing. */
  readonly nextCheckAtMs: number;
}

type Named = OfContainer & { readonly container: ContainerRecord; readonly account: PlatformAccountAccess };

/** Posts older than this before our call are others': the platform's clock and ours need not agree to the second. */
const CLOCK_SLACK_MS = 60_000;

export function createContainerPublishActivities(deps: ContainerActivityDeps) {
  const { db, platformMedia, log } = deps;

  return {
    /** Publishes a finished container by one call. A publish that is under way already is only told about. */
    async publishOnce({ containerId }: OfContainer): Promise<PublishStep> {
      const container = await requireContainer(db, containerId);
      if (container.status !== 'finished') return standing(container);
      const account = await findContainerAccount(deps, { container, operation: 'publishContainer' });
      if (!account) return await note(container, { step: 'rejected', detail: 'The channel is disconnected.' });
      const refusal = await quotaRefusal(container, account);
      if (refusal) return refusal;
      if (!(await takePublish(db, { id: container.id }))) return standing(await requireContainer(db, containerId));
      const answer = await withHeartbeat((signal) =>
        platformMedia.publishContainer(account, container.platformContainerId ?? '', signal),
      );
      log.info('container.publishSent', { containerId, outcome: answer.outcome });
      return await recordAnswer({ containerId, container, account }, answer);
    },

    /**
     * Clears up a publish whose answer was lost, by reading: the container's own status first; where it says published,
     * the post is looked for among the account's recent ones. Changes nothing while the platform says nothing new.
     */
    async resolvePublish({ containerId, nextCheckAtMs }: ResolveLook): Promise<Resolution> {
      const container = await requireContainer(db, containerId);
      if (container.status === 'published') return 'published';
      if (container.status !== 'publishing') return 'ended';
      await recordNextCheck(db, { id: container.id, nextCheckAt: new Date(nextCheckAtMs) });
      const account = await findContainerAccount(deps, { container, operation: 'resolvePublish' });
      if (!account) return 'unreadable';
      try {
        return await withHeartbeat((signal) => resolve({ containerId, container, account }, signal));
      } catch (error) {
        if (error instanceof PlatformRejected || error instanceof PlatformUnavailable) return 'unreadable';
        throw error;
      }
    },

    /** Gives a container back to be published again: look after look has shown it unpublished. */
    async releasePublish({ containerId }: OfContainer): Promise<void> {
      const { id } = await requireContainer(db, containerId);
      await releaseToHand(db, { id, detail: RELEASED });
    },
  };

  /** Refuses before anything is sent: the account's quota is used up, or the platform cannot be asked. */
  async function quotaRefusal(
    container: ContainerRecord,
    account: PlatformAccountAccess,
  ): Promise<PublishStep | undefined> {
    try {
      const quota = await withHeartbeat((signal) => platformMedia.readQuota(account, signal));
      if (!quota || quota.used < quota.total) return undefined;
      const detail = `Not published: ${quota.used} of ${quota.total} posts of the last 24 hours are used up.`;
      return await note(container, { step: 'quota_exceeded', detail });
    } catch (error) {
      if (error instanceof PlatformRejected) {
        return await note(container, {
          step: 'rejected',
          detail: `Not published: ${error.message}. ${error.text ?? ''}`.trim(),
        });
      }
      if (!(error instanceof PlatformUnavailable)) throw error;
      return await note(container, {
        step: 'unreachable',
        detail: 'Not published: the platform could not be reached.',
      });
    }
  }

  async function note(
    { id }: ContainerRecord,
    { step, detail }: { readonly step: PublishStep; readonly detail: string },
  ): Promise<PublishStep> {
    await db('media_containers').where({ id, status: 'finished' }).update({ status_detail: detail });
    return step;
  }

  async function recordAnswer(named: Named, answer: WriteAnswer): Promise<PublishStep> {
    const { id } = named.container;
    if (answer.outcome === 'lost') return 'lost';
    if (answer.outcome === 'accepted') {
      await recordPublished(db, { id, mediaId: answer.id });
      await readPermalink(named, answer.id);
      return 'published';
    }
    const isReady = answer.reason !== 'not_ready';
    await recordUnpublished(db, { id, to: isReady ? 'finished' : 'in_progress', detail: refusalText(answer) });
    if (!isReady) return 'not_ready';
    if (answer.reason === 'quota') return 'quota_exceeded';
    return answer.reason === 'temporary' ? 'rejected_for_now' : 'rejected';
  }

  /** The post is there whether or not its address can be read now. */
  async function readPermalink({ container, account }: Named, mediaId: string): Promise<void> {
    const permalink = await withHeartbeat((signal) => platformMedia.readPermalink(account, mediaId, signal)).catch(
      () => null,
    );
    if (permalink !== null) await recordPermalink(db, { id: container.id, permalink });
  }

  async function resolve({ container, account }: Named, signal: AbortSignal): Promise<Resolution> {
    const { id, platformContainerId } = container;
    const { status, detail } = await platformMedia.readContainer(account, platformContainerId ?? '', signal);
    switch (status) {
      case 'published': {
        const post = await findPost({ container, account }, signal);
        const found = { mediaId: post?.id ?? null, permalink: post?.permalink ?? null };
        await recordPublished(db, { id, ...found, detail: post ? null : NOT_FOUND });
        return 'published';
      }
      case 'finished':
      case 'in_progress':
        return 'unpublished';
      case 'error':
      case 'expired':
        await moveContainer(db, { id, to: status, from: ['publishing'], detail });
        return 'ended';
    }
  }

  /** The one recent post that can be ours: after the call, of this kind, with this caption, and of no other container. */
  async function findPost(
    { container, account }: Pick<Named, 'container' | 'account'>,
    signal: AbortSignal,
  ): Promise<RecentMedia | undefined> {
    const list = { stories: container.mediaType === 'STORIES' };
    // It is published; a list that the platform refuses to show only keeps us from saying which post it is.
    const recent = await platformMedia.recentMedia(account, list, signal).catch((error: unknown) => {
      if (error instanceof PlatformRejected) return [];
      throw error;
    });
    const candidates = recent.filter((post) => couldBe(post, container));
    const mediaIds = candidates.map(({ id }) => id);
    const taken = await attributedPosts(db, { channelId: container.channelId, mediaIds });
    const free = candidates.filter(({ id }) => !taken.has(id));
    return free.length === 1 ? free[0] : undefined;
  }
}

const RELEASED =
  "The answer to its publish was lost, and the platform's own status has kept saying since that it is not published.";
const NOT_FOUND = 'Published; the answer was lost, and no single recent post could be told to be it.';

function standing({ status }: ContainerRecord): PublishStep {
  switch (status) {
    case 'published':
      return 'published';
    case 'publishing':
      return 'lost';
    case 'creating':
    case 'in_progress':
      return 'not_ready';
    case 'finished':
      return 'rejected_for_now';
    case 'error':
    case 'expired':
    case 'unknown':
      return 'ended';
  }
}

export function couldBe(post: RecentMedia, { request, mediaType, publishSentAt }: ContainerRecord): boolean {
  if (publishSentAt === null || post.postedAt.getTime() < publishSentAt.getTime() - CLOCK_SLACK_MS) return false;
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
