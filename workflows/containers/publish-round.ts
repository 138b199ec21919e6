import { ActivityFailure, proxyActivities, sleep } from '@temporalio/workflow';
import type {
  ContainerPublishActivities,
  PublishStep,
  Resolution,
} from '../../activities/containers/container-publish-activities.ts';
import type { ContainerActivities } from '../../activities/containers/container-activities.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import { pollDelayMs, type PublishWaits } from '../../contract/containers/poll.ts';
import type { PublishResult } from '../../contract/containers/workflow.ts';
import { activityQueue, isOwnCancellation } from '../runs/this-run.ts';

const { publishOnce } = proxyActivities<ContainerPublishActivities>({
  taskQueue: activityQueue('media'),
  // Quota and permalink with up to three tries of 30 s each, and one publish of 30 s.
  startToCloseTimeout: '240s',
  // A timeout leaves the outcome unknown, so that a worker may pause for 20 s.
  heartbeatTimeout: '30s',
  // Never retried: reading resolves the outcome of an interrupted publish.
  retry: { maximumAttempts: 1 },
});

const { resolvePublish } = proxyActivities<ContainerPublishActivities>({
  taskQueue: activityQueue('media'),
  // Two reads with up to three tries of 30 s.
  startToCloseTimeout: '200s',
  heartbeatTimeout: '10s',
  // Covers a lost worker or database. An unreadable platform is a result.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { releasePublish } = proxyActivities<ContainerPublishActivities>({
  // One update, retried until it commits.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { checkContainer } = proxyActivities<ContainerActivities>({
  taskQueue: activityQueue('media'),
  // One read with up to three tries of 30 s.
  startToCloseTimeout: '120s',
  heartbeatTimeout: '10s',
  // Covers a lost worker or database.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { readStanding, endContainer } = proxyActivities<ContainerActivities>({
  // One transaction, retried until it commits.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export interface PublishRound {
  readonly containerId: string;
  readonly expiresAtMs: number;
  readonly publishWaits: PublishWaits;
  /** True if a publish was sent and its outcome is unknown. */
  readonly isResumed: boolean;
}

type SentPublish = Omit<PublishRound, 'isResumed'>;

export interface PublishEnd {
  readonly result: PublishResult;
  readonly status: ContainerStatus;
  readonly retryInMs?: number;
}

/** Publishes with a single call. If the response is lost, reads whether the container was published. */
export async function publishRound({ isResumed, ...publish }: PublishRound): Promise<PublishEnd> {
  const { containerId, publishWaits: waits } = publish;
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
      return await checkRejected(publish);
    case 'lost':
      return await resolveLost(publish);
    case 'ended':
      return endOf(await readStanding({ containerId }));
  }
}

async function publishStep(containerId: string): Promise<PublishStep> {
  try {
    return await publishOnce.executeWithOptions({ summary: 'publish' }, [{ containerId }]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isOwnCancellation(error)) throw error;
    // The row records whether the call may have been sent.
    const status = await readStanding({ containerId });
    if (status === 'finished') return 'unreachable';
    return status === 'publishing' ? 'lost' : 'ended';
  }
}

/** A rejected container may have expired, failed or been published elsewhere. */
async function checkRejected({ containerId, expiresAtMs }: SentPublish): Promise<PublishEnd> {
  const check = { containerId, children: false, nextCheckAtMs: expiresAtMs };
  await checkContainer.executeWithOptions({ summary: 'check after rejection' }, [check]);
  const status = await readStanding({ containerId });
  return status === 'finished' ? { result: 'rejected', status } : endOf(status);
}

async function resolveLost({ containerId, expiresAtMs, publishWaits: waits }: SentPublish): Promise<PublishEnd> {
  for (let unpublished = 0, unreadable = 0; ;) {
    const unreadableMs = pollDelayMs(waits.unreadableMs, unreadable + 1);
    const check = { containerId, nextCheckAtMs: Date.now() + unreadableMs };
    const resolution: Resolution = await resolvePublish.executeWithOptions({ summary: 'resolve publish' }, [check]);
    switch (resolution) {
      case 'published':
        return { result: 'published', status: 'published' };
      case 'ended':
        return endOf(await readStanding({ containerId }));
      case 'unreadable':
        if (Date.now() >= expiresAtMs) return endOf(await endContainer({ containerId, reason: 'unresolved' }));
        unreadable++;
        await sleep(Math.min(unreadableMs, Math.max(expiresAtMs - Date.now(), 1)), { summary: 'retry reading' });
        break;
      case 'unpublished': {
        const delayMs = waits.unpublishedMs[unpublished++];
        if (delayMs === undefined) {
          await releasePublish({ containerId });
          const status = await readStanding({ containerId });
          return status === 'finished' ? { result: 'lost', status } : endOf(status);
        }
        await sleep(delayMs, { summary: 'confirm that it is unpublished' });
      }
    }
  }
}

function endOf(status: ContainerStatus): PublishEnd {
  return { result: publishResultOf(status), status };
}

export function publishResultOf(status: ContainerStatus): PublishResult {
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
