import {
  recordNotPublished,
  recordPermalink,
  recordPublished,
  recordUnpublished,
  requireManualPublish,
  takePublish,
} from '../../db/containers/publish.ts';
import { recordNextCheck } from '../../db/containers/parts.ts';
import { moveContainer } from '../../db/containers/containers.ts';
import type { ContainerRecord } from '../../db/containers/records.ts';
import { PlatformRejected, PlatformUnavailable } from '../../platform/client/errors.ts';
import type { Refusal } from '../../platform/client/refusals.ts';
import type { PlatformAccountAccess, WriteAnswer } from '../../platform/media/media.ts';
import { findContainerAccount, noteRefusedCredential } from './find-container-account.ts';
import { findPost, POST_NOT_FOUND } from './find-post.ts';
import { readPart } from './read-part.ts';
import {
  type ContainerActivityDeps,
  containerRefusal,
  rejectionText,
  requireContainer,
} from './container-activities.ts';
import { withHeartbeat, withHeartbeatToTheAnswer } from '../with-heartbeat.ts';

export type ContainerPublishActivities = ReturnType<typeof createContainerPublishActivities>;

/** `rejected_for_now` can be retried; `lost` must be resolved by reading. */
export type PublishStep =
  'published' | 'not_ready' | 'quota_exceeded' | 'rejected' | 'rejected_for_now' | 'unreachable' | 'lost' | 'ended';

export type Resolution = 'published' | 'unpublished' | 'unreadable' | 'ended';

interface ContainerInput {
  readonly containerId: string;
}

interface ResolvePublish extends ContainerInput {
  readonly nextCheckAtMs: number;
}

type Publish = ContainerInput & { readonly container: ContainerRecord; readonly account: PlatformAccountAccess };

export function createContainerPublishActivities(deps: Omit<ContainerActivityDeps, 'mediaShares'>) {
  const { db, platformMedia, log } = deps;

  return {
    async publishOnce({ containerId }: ContainerInput): Promise<PublishStep> {
      const container = await requireContainer(db, containerId);
      if (container.status !== 'finished') return stepOf(container);
      const account = await findContainerAccount(deps, { container, operation: 'publishContainer' });
      if (!account) return await recordDetail(container, { step: 'rejected', detail: DISCONNECTED });
      if (account.refusedReason !== null) {
        // The account may be connected again before the container expires.
        const detail = `Not published: ${account.refusedReason}`;
        return await recordDetail(container, { step: 'rejected_for_now', detail });
      }
      const refusal = await checkQuota(container, account);
      if (refusal) return refusal;
      if (!(await takePublish(db, { id: container.id }))) return stepOf(await requireContainer(db, containerId));
      const answer = await withHeartbeatToTheAnswer((signal) =>
        platformMedia.publishContainer(account, container.platformContainerId ?? '', signal),
      );
      log.info('container.publishSent', { containerId, outcome: answer.outcome });
      return await recordAnswer({ containerId, container, account }, answer);
    },

    async resolvePublish({ containerId, nextCheckAtMs }: ResolvePublish): Promise<Resolution> {
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

    async releasePublish({ containerId }: ContainerInput): Promise<void> {
      const { id } = await requireContainer(db, containerId);
      await requireManualPublish(db, { id, detail: RELEASED });
    },
  };

  async function checkQuota(
    container: ContainerRecord,
    account: PlatformAccountAccess,
  ): Promise<PublishStep | undefined> {
    try {
      const quota = await withHeartbeat((signal) => platformMedia.readQuota(account, signal));
      if (!quota || quota.used < quota.total) return undefined;
      const detail = `Not published: the account has used ${quota.used} of its ${quota.total} posts per 24 hours.`;
      return await recordDetail(container, { step: 'quota_exceeded', detail });
    } catch (error) {
      // The quota is read to explain a refusal beforehand, so that a refused read must not replace the publish itself.
      if (error instanceof PlatformRejected) return undefined;
      if (!(error instanceof PlatformUnavailable)) throw error;
      return await recordDetail(container, {
        step: 'unreachable',
        detail: 'Not published: the platform could not be reached. Publish it again.',
      });
    }
  }

  async function recordDetail(
    { id }: ContainerRecord,
    { step, detail, refusal }: { readonly step: PublishStep; readonly detail: string; readonly refusal?: GivenRefusal },
  ): Promise<PublishStep> {
    await recordNotPublished(db, { id, detail, refusal: refusal && containerRefusal(refusal) });
    return step;
  }

  async function recordAnswer(publish: Publish, answer: WriteAnswer): Promise<PublishStep> {
    const { id } = publish.container;
    if (answer.outcome === 'lost') return 'lost';
    if (answer.outcome === 'accepted') {
      await recordPublished(db, { id, mediaId: answer.id });
      await readPermalink(publish, answer.id);
      return 'published';
    }
    const step = stepOfRefusal(answer.refusal);
    if (step === 'rejected') {
      const resolution = await withHeartbeat((signal) => resolveRefused(publish, signal));
      if (resolution === 'published' || resolution === 'ended') return resolution;
    }
    await noteRefusedCredential(deps, { ...publish, answer });
    const to = step === 'not_ready' ? 'in_progress' : 'finished';
    const refusal = containerRefusal(answer.refusal);
    await recordUnpublished(db, { id, to, detail: rejectionText(answer), refusal });
    return step;
  }

  /** Ignores errors, because the container is published without a permalink. */
  async function readPermalink({ container, account }: Publish, mediaId: string): Promise<void> {
    const stories = container.mediaType === 'STORIES';
    const permalink = await withHeartbeat(async (signal) => {
      try {
        return await platformMedia.readPermalink(account, mediaId, signal);
      } catch (error) {
        if (!(error instanceof PlatformRejected)) return null;
        // The list of posts is often shown when the single object is not.
        const recent = await platformMedia.recentMedia(account, { stories }, signal).catch(() => []);
        return recent.find(({ id }) => id === mediaId)?.permalink ?? null;
      }
    });
    if (permalink !== null) await recordPermalink(db, { id: container.id, permalink });
  }

  /** The platform sometimes publishes a container and refuses the call, for example as spam. */
  async function resolveRefused(publish: Publish, signal: AbortSignal): Promise<Resolution> {
    // Its row says when the call was sent, which the search needs.
    const container = await requireContainer(db, publish.containerId);
    try {
      return await resolve({ ...publish, container }, signal);
    } catch (error) {
      if (error instanceof PlatformRejected || error instanceof PlatformUnavailable) return 'unreadable';
      throw error;
    }
  }

  /** Asks for the status first, and then for the post. */
  async function resolve({ container, account }: Publish, signal: AbortSignal): Promise<Resolution> {
    const { id, platformContainerId: platformId } = container;
    const reading = await readPart({ platformMedia, account, platformId, signal });
    switch (reading.state) {
      case 'published': {
        const post = await findPost({ db, platformMedia, container, account, signal });
        const found = { mediaId: post?.id ?? null, permalink: post?.permalink ?? null };
        await recordPublished(db, { id, ...found, detail: post ? null : POST_NOT_FOUND });
        return 'published';
      }
      case 'finished':
      case 'in_progress':
        return 'unpublished';
      case 'hidden': {
        // The list of posts is often shown when the single object is not.
        const post = await findPost({ db, platformMedia, container, account, signal });
        if (!post) return 'unreadable';
        await recordPublished(db, { id, mediaId: post.id, permalink: post.permalink });
        return 'published';
      }
      case 'unreadable':
        return 'unreadable';
      case 'error':
      case 'expired':
        await moveContainer(db, { id, to: reading.state, from: ['publishing'], detail: reading.detail });
        return 'ended';
    }
  }
}

const DISCONNECTED = 'Not published: the channel is disconnected. Connect it again.';
const RELEASED =
  'Not published: the response to the publish call was lost, and repeated checks found the container unpublished. ' +
  'Publish it again.';

type GivenRefusal = Pick<Refusal, 'kind' | 'code' | 'retryAfterSeconds'>;

function stepOfRefusal({ kind, retryAfterSeconds }: GivenRefusal): PublishStep {
  if (kind === 'not_ready') return 'not_ready';
  if (kind === 'quota') return 'quota_exceeded';
  // The account may be connected again before the container expires.
  if (kind === 'credential') return 'rejected_for_now';
  return retryAfterSeconds === null ? 'rejected' : 'rejected_for_now';
}

function stepOf({ status }: ContainerRecord): PublishStep {
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
