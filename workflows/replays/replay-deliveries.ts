import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReplayActivities } from '../../activities/replays/replay-activities.ts';
import { failureTypes } from '../../contract/failures.ts';
import {
  endedReplayStatuses,
  type ReplayDeliveriesInput,
  type ReplayMove,
  type ReplayState,
  type ReplayStatus,
} from '../../contract/replays/replay.ts';
import { activityQueue, stateAttribute, isOwnCancellation } from '../runs/this-run.ts';
import { cancelReplay, pauseReplay, replayMoved, replayProgress, resumeReplay } from '../messages/messages.ts';

const { planReplay, sendReplay } = proxyActivities<ReplayActivities>({
  taskQueue: activityQueue('upkeep'),
  // Each call returns after a minute plus one statement.
  startToCloseTimeout: '2m',
  heartbeatTimeout: '5s',
  // Covers a lost worker or database. A repeat continues from the stored rows.
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
});

const { moveReplay, readReplay } = proxyActivities<ReplayActivities>({
  // Short statements, retried until they commit.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
});

export type ReplayDeliveriesResult = Pick<ReplayState, 'status' | 'planned' | 'sent'>;

/**
 * Plans the replay completely, then sends the planned events again. The database stores the plan and the progress.
 * Cancelling the workflow cancels the replay.
 */
export async function replayDeliveries({ replayId, heldMs }: ReplayDeliveriesInput): Promise<ReplayDeliveriesResult> {
  let current: ReplayState = { status: 'planning', planned: 0, sent: 0, isHeld: false };
  let mayHaveMoved = false;
  setHandler(replayProgress, () => current, { description: 'The state of the replay, as the API returns it.' });
  setHandler(replayMoved, () => void (mayHaveMoved = true), { description: 'For the service: reads the replay.' });
  const validator = (): void => assertNotEnded(current.status);
  setHandler(pauseReplay, () => move('pause'), { validator, description: 'For operators: pauses the replay.' });
  setHandler(resumeReplay, () => move('resume'), { validator, description: 'For operators: resumes the replay.' });
  setHandler(cancelReplay, () => move('cancel'), { validator, description: 'For operators: cancels the replay.' });

  try {
    show(await readReplay({ replayId }));
    while (!endedReplayStatuses.includes(current.status)) {
      await step();
      if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) {
        await continueAsNew<typeof replayDeliveries>({ replayId, heldMs });
      }
    }
    await condition(allHandlersFinished);
    return await end();
  } catch (error) {
    if (!isOwnCancellation(error)) throw error;
    return await CancellationScope.nonCancellable(async () => {
      show(await moveReplay({ replayId, move: 'cancel' }));
      await condition(allHandlersFinished);
      return await end();
    });
  }

  /** A move during a step applies to the next one. */
  async function step(): Promise<void> {
    if (current.status === 'paused') await condition(() => mayHaveMoved);
    mayHaveMoved = false;
    if (current.status === 'paused') return show(await readReplay({ replayId }));
    if (current.status === 'planning') {
      return show(await planReplay.executeWithOptions({ summary: 'write the plan' }, [{ replayId }]));
    }
    show(await sendReplay.executeWithOptions({ summary: `send from ${current.sent}` }, [{ replayId }]));
    if (current.isHeld) await condition(() => mayHaveMoved, heldMs, { summary: 'wait for live traffic' });
  }

  /** Not cancellable: a run that is cancelled waits for the answer, and then cancels the replay. */
  async function move(to: ReplayMove): Promise<ReplayState> {
    return await CancellationScope.nonCancellable(async () => {
      show(await moveReplay.executeWithOptions({ summary: to }, [{ replayId, move: to }]));
      mayHaveMoved = true;
      return current;
    });
  }

  function show(standing: ReplayState): void {
    if (standing.status !== current.status) upsertSearchAttributes([{ key: stateAttribute, value: standing.status }]);
    current = standing;
    setCurrentDetails(
      `${standing.status}: ${standing.sent} of ${standing.planned} sent.` +
        (standing.isHeld ? ' Waiting: the destinations have live traffic or open circuits.' : ''),
    );
  }

  async function end(): Promise<ReplayDeliveriesResult> {
    show(await readReplay({ replayId }));
    const { status, planned, sent } = current;
    return { status, planned, sent };
  }
}

/** A rejection thrown in the validator leaves no event in the history. */
function assertNotEnded(status: ReplayStatus): void {
  if (!endedReplayStatuses.includes(status)) return;
  throw ApplicationFailure.nonRetryable(`The replay has ended: ${status}`, failureTypes.replayEnded);
}
