import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { ContainerActivities } from '../../activities/containers/container-activities.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import type { Acceptance, CarryContainerInput } from '../../contract/containers/workflow.ts';
import { pollDelayMs } from '../../contract/containers/poll.ts';
import { failureTypes } from '../../contract/failures.ts';
import { createContainer } from './create-container.ts';
import { publishRound, publishResultOf } from './publish-round.ts';
import { type ContainerRun, createContainerRun } from './container-run.ts';
import { expireUnpublished, watchContainer } from './watch-container.ts';
import { toIsoTime } from './describe-progress.ts';
import { awaitAcceptance, containerProgress, publishContainer } from '../messages/messages.ts';
import { isOwnCancellation } from '../runs/this-run.ts';

const { readStanding, endContainer } = proxyActivities<ContainerActivities>({
  // One transaction, retried until it commits.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export interface CarryContainerResult {
  readonly status: ContainerStatus;
}

/**
 * Creates a media container, checks it until the platform has processed it, and publishes it on request. Cancelling the
 * workflow ends the container.
 */
export async function carryContainer(input: CarryContainerInput): Promise<CarryContainerResult> {
  const run = createContainerRun(input);
  const { progress } = run;
  setHandlers(run);
  try {
    if (input.resumed) run.move(await readStanding({ containerId: input.containerId }));
    await runPhases(run);
  } catch (error) {
    if (!isOwnCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => endCancelled(run));
  }
  progress.hasEnded = true;
  await waitUntil(allHandlersFinished);
  setCurrentDetails(`Ended: ${progress.status}.`);
  return { status: progress.status };
}

function setHandlers({ progress }: ContainerRun): void {
  const read = () => ({
    status: progress.status,
    checkedAt: toIsoTime(progress.checkedAtMs),
    nextCheckAt: toIsoTime(progress.nextCheckAtMs),
  });
  setHandler(containerProgress, read, { description: 'The status of the container and its next check.' });
  const waitForAcceptance = async (): Promise<Acceptance> => {
    await waitUntil(() => progress.acceptance !== undefined || progress.hasEnded);
    return progress.acceptance ?? 'lost';
  };
  setHandler(awaitAcceptance, waitForAcceptance, {
    description: 'For the service: waits for the create. Changes nothing.',
  });
  setHandler(
    publishContainer,
    async () => {
      if (progress.status === 'published') return 'published';
      const before = progress.publishesDone;
      progress.publishRequested = true;
      await waitUntil(() => progress.publishesDone > before || progress.hasEnded);
      return progress.publishesDone > before ? progress.lastPublish : publishResultOf(progress.status);
    },
    {
      validator: () => assertPublishable(progress.status),
      description: 'For the service: publishes once. Publish with the API instead.',
    },
  );
}

async function runPhases(run: ContainerRun): Promise<void> {
  const { progress } = run;
  const isIn = (...statuses: readonly ContainerStatus[]): boolean => statuses.includes(progress.status);
  do {
    if (isIn('creating')) await createContainer(run);
    progress.acceptance ??= isIn('unknown') ? 'lost' : 'accepted';
    while (isIn('in_progress', 'finished', 'publishing')) {
      if (isIn('in_progress')) await watchContainer(run, { children: false });
      if (isIn('finished')) await waitForPublishRequest(run);
      if (isIn('finished', 'publishing')) await publish(run);
    }
    if (isIn('unknown')) await waitForLateResponse(run);
  } while (isIn('creating', 'in_progress'));
}

async function waitForPublishRequest(run: ContainerRun): Promise<void> {
  const { progress } = run;
  const { expiresAtMs } = run.input;
  // Pending updates must return before continue-as-new.
  await condition(() => progress.publishRequested || allHandlersFinished());
  await run.continueAsNewIfSuggested({ looksMade: 0 });
  progress.nextCheckAtMs = expiresAtMs;
  setCurrentDetails(`Finished. Waiting for a publish request until ${toIsoTime(expiresAtMs)}.`);
  const summary = `expires at ${toIsoTime(expiresAtMs)}`;
  const isRequested = await condition(() => progress.publishRequested, run.untilExpiryMs(), { summary });
  if (!isRequested || Date.now() >= expiresAtMs) await expireUnpublished(run);
}

/** All pending requests receive the outcome of this publish. */
async function publish(run: ContainerRun): Promise<void> {
  const { progress } = run;
  const isResumed = progress.status === 'publishing';
  run.move('publishing');
  setCurrentDetails('Publishing.');
  const round = await publishRound({ ...run.input, isResumed });
  run.move(round.status);
  progress.lastPublish = round.result;
  progress.publishesDone++;
  progress.publishRequested = false; // includes requests made during the round
  if (round.retryInMs === undefined || !run.input.autoPublish || run.isFinal()) return;
  setCurrentDetails(`Not published (${round.result}). Waiting to retry.`);
  const delayMs = Math.min(round.retryInMs, run.untilExpiryMs());
  await condition(() => progress.publishRequested, delayMs, { summary: 'retry publish' });
  progress.publishRequested = true;
  await run.continueAsNewIfSuggested({ looksMade: 0 });
}

/**
 * A container whose create response was lost can be neither found nor created again. The worker that made the call may
 * have been suspended, and records the response when it continues.
 */
async function waitForLateResponse(run: ContainerRun): Promise<void> {
  const { progress } = run;
  const { containerId, expiresAtMs, pollScheduleMs } = run.input;
  for (let count = progress.looksMade + 1; ; count++) {
    progress.nextCheckAtMs = expiresAtMs;
    setCurrentDetails(`The response to the create call was lost. Expires at ${toIsoTime(expiresAtMs)}.`);
    const delayMs = Math.min(pollDelayMs(pollScheduleMs, count), run.untilExpiryMs());
    await sleep(delayMs, { summary: 'late response or expiry' });
    if (Date.now() >= expiresAtMs) return run.move(await endContainer({ containerId, reason: 'expired' }));
    run.move(await readStanding({ containerId }));
    if (progress.status !== 'unknown') {
      progress.looksMade = 0;
      return;
    }
    await run.continueAsNewIfSuggested({ looksMade: count });
  }
}

/** Resolves a sent publish first, because ending the container must not hide a post. */
async function endCancelled(run: ContainerRun): Promise<void> {
  const { containerId } = run.input;
  do {
    if (run.progress.status === 'publishing') run.move((await publishRound({ ...run.input, isResumed: true })).status);
    if (!run.isFinal()) run.move(await endContainer({ containerId, reason: 'cancelled' }));
  } while (run.progress.status === 'publishing');
}

/** Not cancellable, so that pending updates return. */
async function waitUntil(predicate: () => boolean): Promise<void> {
  await CancellationScope.nonCancellable(() => condition(predicate));
}

/** A rejection thrown in the validator leaves no event in the history. */
function assertPublishable(status: ContainerStatus): void {
  switch (status) {
    case 'finished':
    case 'publishing':
    case 'published':
      return;
    case 'creating':
    case 'in_progress':
      throw ApplicationFailure.nonRetryable(
        'The platform is still processing the container',
        failureTypes.containerNotReady,
      );
    case 'error':
    case 'expired':
    case 'unknown':
      throw ApplicationFailure.nonRetryable(
        `The container cannot be published: ${status}`,
        failureTypes.containerEnded,
      );
  }
}
