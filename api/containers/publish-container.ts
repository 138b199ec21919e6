import { MAX_POLL_MS } from '../../contract/containers/poll.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { type ContainerRecord, containerStartOf } from '../../db/containers/records.ts';
import { platformRefused, refusalRetrySeconds } from './create-container.ts';
import { uncallable } from '../requests/uncallable.ts';
import { runStaged } from '../routing/run-staged.ts';
import type { ApiDeps } from '../requests/deps.ts';
import {
  Conflict,
  ContainerNotReady,
  OutcomeUnknown,
  PlatformUnreachable,
  PublishQuotaExceeded,
} from '../requests/errors.ts';
import { locationOf } from './present.ts';
import type { PublishAnswer } from '../../workflow-starts/workflow-starts.ts';

/** A sliding window of a day: an hour may already free some of it. */
const QUOTA_RETRY_SECONDS = 3_600;
const DEFAULT_RETRY_SECONDS = 60;

export interface ContainerPublish {
  readonly channel: ChannelRecord;
  readonly look: () => Promise<ContainerRecord>;
}

/** A final status in the row takes precedence over the workflow's answer. */
export async function publishContainer(
  { starts, log }: Pick<ApiDeps, 'starts' | 'log'>,
  { channel, look }: ContainerPublish,
): Promise<ContainerRecord> {
  const before = await look();
  if (hasPublished(before)) return before;
  const refusal = uncallable(channel);
  if (refusal) throw refusal;
  return await runStaged({
    run: () => starts.publishContainer(containerStartOf(before)),
    logUnanswered: ({ cause: error }) =>
      log.warn('containerPublish.unanswered', { containerId: before.publicId, error }),
    // Only if the workflow did not receive the request and no other request has published.
    giveUp: async (state) => state === 'not_started' && !hasPublished(await look()),
    decide: async (started) => {
      const after = await look();
      if (hasPublished(after)) return after;
      if (started.state === 'ended') throw refusalOf(started.result, after);
      return undefined;
    },
    unknown: () => outcomeUnknown(before),
  });
}

/** Returns false if the container may still be published. Throws if it can't be. */
function hasPublished(container: ContainerRecord): boolean {
  switch (container.status) {
    case 'published':
      return true;
    case 'expired':
      throw expired();
    case 'error':
    case 'unknown':
      throw failed(container);
    case 'creating':
    case 'in_progress':
    case 'finished':
    case 'publishing':
      return false;
  }
}

function refusalOf(answer: PublishAnswer, container: ContainerRecord): Error {
  switch (answer) {
    case 'not_ready':
    case 'refused_not_ready':
      return new ContainerNotReady(retryAfterSeconds(container));
    case 'quota_exceeded':
      return new PublishQuotaExceeded(refusalRetrySeconds(container) ?? QUOTA_RETRY_SECONDS);
    case 'rejected':
      return platformRefused(container, 'The platform refused to publish the container.');
    case 'unreachable':
      return new PlatformUnreachable('The platform could not be reached. Nothing was published. Try again shortly.');
    case 'expired':
      return expired();
    case 'failed':
    case 'refused_ended':
      return failed(container);
    case 'published':
    case 'lost':
      return outcomeUnknown(container);
  }
}

function retryAfterSeconds({ status, nextCheckAt }: ContainerRecord): number {
  if (status === 'finished' || status === 'publishing') return 1;
  const seconds = nextCheckAt ? Math.ceil((nextCheckAt.getTime() - Date.now()) / 1_000) : DEFAULT_RETRY_SECONDS;
  return Math.min(Math.max(seconds, 1), MAX_POLL_MS / 1_000);
}

function outcomeUnknown(container: ContainerRecord): OutcomeUnknown {
  const location = locationOf(container);
  return new OutcomeUnknown(
    `It is not known whether the container ${container.publicId} was published. Do not repeat this blindly: read ` +
      `GET ${location} first, and look at the account if its status is not published.`,
    { headers: { location } },
  );
}

const expired = (): Conflict =>
  new Conflict('CONTAINER_EXPIRED', 'The container has expired and can no longer be published. Create a new one.');

const failed = ({ statusDetail }: ContainerRecord): Conflict =>
  new Conflict('CONTAINER_FAILED', `The container cannot be published: ${statusDetail ?? 'it has failed.'}`);
