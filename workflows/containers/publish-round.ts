import { ActivityFailure, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type {
  ContainerPublishActivities,
  PublishStep,
  Resolution,
} from '../../activities/containers/container-publish-activities.ts';
import type { ContainerActivities } from '../../activities/containers/container-activities.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import { pollDelayMs, type PublishWaits } from '../../contract/containers/poll.ts';
import type { PublishResult } from '../../contract/containers/workflow.ts';

const { publishOnce } = proxyActivities<ContainerPublishActivities>({
  // Quota, publish and the post's address, of 30 s each and the reads tried three times; heartbeats tell a lost worker
  // within seconds.
  startToCloseTimeout: '240s',
  heartbeatTimeout: '10s',
  // Once: whether a broken-off publish took effect is found out by reading, never by another call.
  retry: { maximumAttempts: 1 },
});

const { resolvePublish } = proxyActivities<ContainerPublishActivities>({
  // Two reads of 30 s, each tried three times within.
  startToCloseTimeout: '200s',
  heartbeatTimeout: '10s',
  // Covers a lost worker or database only: a platform that can't be read is an answer.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { releasePublish } = proxyActivities<ContainerPublishActivities>({
  // One conditional update, retried until the database takes it.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { checkContainer, readStanding, endContainer } = proxyActivities<ContainerActivities>({
  // A read of 30 s, tried three times within, and one row.
  startToCloseTimeout: '120s',
  heartbeatTimeout: '10s',
  // As above: only what is ours to lose.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export interface PublishRound {
  readonly containerId: string;
  readonly expiresAtMs: number;
  readonly publishWaits: PublishWaits;
  /** A publish has left already: only its outcome is to be found out. */
  readonly isResumed: boolean;
}

type Published = Omit<PublishRound, 'isResumed'>;

export interface PublishEnd {
  readonly result: PublishResult;
  readonly status: ContainerStatus;
  /** After which it may go better; left out where trying again by oneself makes no sense. */
  readonly retryInMs?: number;
}

/** One publish: a single call, whose outcome is found out by reading where the answer is lost. */
export async function publishRound({ isResumed, ...published }: PublishRound): Promise<PublishEnd> {
  const { containerId, publishWaits: waits } = published;
  const step = isResumed ? 'lost' : await publishStep(containerId);
  switch (step) {
    case 'published':
      return { result: 'published', status: 'published' };
    case 'not_ready':
      return { result: 'not_ready', status: 'in_progress', retryInMs: waits.retryMs };
    case 'quota_exceeded':
      return { result: 'quota_exceeded', status: 'finished', retryInMs: waits.quotaRetryMs };
    case 'unreachable':
      return { result: 'unreachable', status: 'finished', retryInMs: waits.retryMs };
    case 'rejected_for_now':
      return { result: 'rejected', status: 'finished', retryInMs: waits.retryMs };
    case 'rejected':
      return await afterRefusal(published);
    case 'lost':
      return await clearUp(published);
    case 'ended':
      return ended(await readStanding({ containerId }));
  }
}

async function publishStep(containerId: string): Promise<PublishStep> {
  try {
    return await publishOnce.executeWithOptions({ summary: 'publish' }, [{ containerId }]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    // The worker or the database was lost on the way: the row knows whether the publish may have left.
    const status = await readStanding({ containerId });
    if (status === 'finished') return 'unreachable';
    return status === 'publishing' ? 'lost' : 'ended';
  }
}

/** A refusal may mean that the container has expired, failed, or been published by another hand. */
async function afterRefusal({ containerId, expiresAtMs }: Published): Promise<PublishEnd> {
  const look = { containerId, children: false, nextCheckAtMs: expiresAtMs };
  await checkContainer.executeWithOptions({ summary: 'look after the refusal' }, [look]);
  const status = await readStanding({ containerId });
  return status === 'finished' ? { result: 'rejected', status } : ended(status);
}

/** Looks until the platform says what became of a publish, for as long as the container lives. */
async function clearUp({ containerId, expiresAtMs, publishWaits: waits }: Published): Promise<PublishEnd> {
  for (let unpublished = 0, unreadable = 0; ;) {
    const unreadableMs = pollDelayMs(waits.unreadableMs, unreadable + 1);
    const look = { containerId, nextCheckAtMs: Date.now() + unreadableMs };
    const seen: Resolution = await resolvePublish.executeWithOptions({ summary: 'find out by reading' }, [look]);
    switch (seen) {
      case 'published':
        return { result: 'published', status: 'published' };
      case 'ended':
        return ended(await readStanding({ containerId }));
      case 'unreadable':
        if (Date.now() >= expiresAtMs) return ended(await endContainer({ containerId, reason: 'unresolved' }));
        unreadable++;
        await sleep(Math.min(unreadableMs, Math.max(expiresAtMs - Date.now(), 1)), { summary: 'find out again' });
        break;
      case 'unpublished': {
        const delayMs = waits.unpublishedMs[unpublished++];
        if (delayMs === undefined) {
          await releasePublish({ containerId });
          const status = await readStanding({ containerId });
          return status === 'finished' ? { result: 'lost', status } : ended(status);
        }
        await sleep(delayMs, { summary: 'make sure that it is not published' });
      }
    }
  }
}

function ended(status: ContainerStatus): PublishEnd {
  return { result: resultOf(status), status };
}

/** What a container's own status answers to whoever wants it published. */
export function resultOf(status: ContainerStatus): PublishResult {
  switch (status) {
    case 'published':
    case 'expired':
      return status;
    case 'error':
      return 'failed';
    case 'publishing':
    case 'unknown':
      return 'lost';
    case 'finished':
      return 'unreachable';
    case 'creating':
    case 'in_progress':
      return 'not_ready';
  }
}
