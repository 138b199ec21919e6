import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { ContainerActivities } from '../../activities/containers/container-activities.ts';
import type { ContainerStatus } from '../../contract/containers/status.ts';
import type { CarryContainerInput } from '../../contract/containers/workflow.ts';
import { failureTypes } from '../../contract/failures.ts';
import { createContainer } from './create-container.ts';
import { publishRound, resultOf } from './publish-round.ts';
import { type ContainerRun, createContainerRun } from './container-run.ts';
import { expireContainer, watchContainer } from './watch-container.ts';
import { instant } from './words.ts';
import { awaitAcceptance, containerProgress, publishContainer } from '../messages/containers.ts';

const { readStanding, endContainer } = proxyActivities<ContainerActivities>({
  // One short transaction each, retried until the database takes it, because nobody else would do it.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

export interface CarryContainerResult {
  readonly status: ContainerStatus;
}

/**
 * Carries a media container from its creation at the platform to its end: has it made once, looks until the platform
 * has processed it, and publishes it when asked. `publishContainer` publishes, `awaitAcceptance` waits for the creation;
 * cancelling this workflow gives the container up.
 */
export async function carryContainer(input: CarryContainerInput): Promise<CarryContainerResult> {
  const run = createContainerRun(input);
  const { progress } = run;
  answerQuestions(run);
  try {
    if (input.resumed) run.move(await readStanding({ containerId: input.containerId }));
    await carry(run);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => giveUp(run));
  }
  progress.isOver = true;
  await waitUntil(allHandlersFinished);
  setCurrentDetails(`Ended: ${progress.status}.`);
  return { status: progress.status };
}

function answerQuestions({ progress }: ContainerRun): void {
  setHandler(containerProgress, () => ({
    status: progress.status,
    checkedAt: instant(progress.checkedAtMs),
    nextCheckAt: instant(progress.nextCheckAtMs),
  }));
  setHandler(awaitAcceptance, async () => {
    await waitUntil(() => progress.acceptance !== undefined || progress.isOver);
    return progress.acceptance ?? 'lost';
  });
  setHandler(
    publishContainer,
    async () => {
      if (progress.status === 'published') return 'published';
      const before = progress.publishesDone;
      progress.publishWanted = true;
      await waitUntil(() => progress.publishesDone > before || progress.isOver);
      return progress.publishesDone > before ? progress.lastPublish : resultOf(progress.status);
    },
    { validator: () => refusePublish(progress.status) },
  );
}

async function carry(run: ContainerRun): Promise<void> {
  const { progress } = run;
  const isIn = (...statuses: readonly ContainerStatus[]): boolean => statuses.includes(progress.status);
  if (isIn('creating')) await createContainer(run);
  progress.acceptance ??= isIn('unknown') ? 'lost' : 'accepted';
  while (isIn('in_progress', 'finished', 'publishing')) {
    if (isIn('in_progress')) await watchContainer(run, { children: false });
    if (isIn('finished')) await untilPublishWanted(run);
    if (isIn('finished', 'publishing')) await publish(run);
  }
  if (isIn('unknown')) await sleepOut(run);
}

async function untilPublishWanted(run: ContainerRun): Promise<void> {
  const { progress } = run;
  const { expiresAtMs } = run.input;
  // Those whom the last round has answered first: a new run could not.
  await condition(() => progress.publishWanted || allHandlersFinished());
  await run.goOnAnew({ looksMade: 0 });
  progress.nextCheckAtMs = expiresAtMs;
  setCurrentDetails(`Finished. Waits to be published, until ${instant(expiresAtMs)}.`);
  const summary = `until it expires ${instant(expiresAtMs)}`;
  const isWanted = await condition(() => progress.publishWanted, run.untilExpiryMs(), { summary });
  if (!isWanted || Date.now() >= expiresAtMs) await expireContainer(run);
}

/** One publish, from the quota to a known outcome. It ends for all who asked for it. */
async function publish(run: ContainerRun): Promise<void> {
  const { progress } = run;
  const isResumed = progress.status === 'publishing';
  run.move('publishing');
  setCurrentDetails('Being published.');
  const round = await publishRound({ ...run.input, isResumed });
  run.move(round.status);
  progress.lastPublish = round.result;
  progress.publishesDone++;
  progress.publishWanted = false; // whoever asked during the round has its answer
  if (round.retryInMs === undefined || !run.input.autoPublish || run.isFinal()) return;
  // Nobody is there to ask again.
  setCurrentDetails(`Not published yet (${round.result}). Tries again by itself.`);
  const delayMs = Math.min(round.retryInMs, run.untilExpiryMs());
  await condition(() => progress.publishWanted, delayMs, { summary: 'publish again' });
  progress.publishWanted = true;
  await run.goOnAnew({ looksMade: 0 });
}

/** An answer was lost: nothing to look at, and nothing to repeat. It ends when the platform's own copy would. */
async function sleepOut(run: ContainerRun): Promise<void> {
  const { containerId, expiresAtMs } = run.input;
  run.progress.nextCheckAtMs = expiresAtMs;
  setCurrentDetails(`The platform's answer was lost. Ends ${instant(expiresAtMs)}.`);
  await sleep(run.untilExpiryMs(), { summary: 'until it would expire' });
  run.move(await endContainer({ containerId, reason: 'expired' }));
}

/** A publish that may have left is cleared up first: giving up must not hide a post. */
async function giveUp(run: ContainerRun): Promise<void> {
  const { containerId } = run.input;
  do {
    if (run.progress.status === 'publishing') run.move((await publishRound({ ...run.input, isResumed: true })).status);
    if (!run.isFinal()) run.move(await endContainer({ containerId, reason: 'cancelled' }));
  } while (run.progress.status === 'publishing');
}

/** Waits for those who have asked, also where this workflow is being cancelled: they are answered all the same. */
async function waitUntil(isSo: () => boolean): Promise<void> {
  await CancellationScope.nonCancellable(() => condition(isSo));
}

/** Throws before an update is taken, and so without an event in the history. */
function refusePublish(status: ContainerStatus): void {
  switch (status) {
    case 'finished':
    case 'publishing':
    case 'published':
      return;
    case 'creating':
    case 'in_progress':
      throw ApplicationFailure.nonRetryable('Still processing', failureTypes.containerNotReady);
    case 'error':
    case 'expired':
    case 'unknown':
      throw ApplicationFailure.nonRetryable(`Nothing to publish: ${status}`, failureTypes.containerEnded);
  }
}
