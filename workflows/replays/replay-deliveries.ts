import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReplayActivities } from '../../activities/replays/replay-activities.ts';
import {
  endedReplayStatuses,
  type ReplayDeliveriesInput,
  type ReplayMove,
  type ReplayStanding,
} from '../../contract/replays/replay.ts';
import { cancelReplay, pauseReplay, replayMoved, replayProgress, resumeReplay } from '../messages/replays.ts';
import { stateAttribute } from '../messages/state-attribute.ts';

const { planReplay, sendReplay } = proxyActivities<ReplayActivities>({
  // They report after a minute; what takes longer is one statement of at most 10 s.
  startToCloseTimeout: '2m',
  // They heartbeat each second: another worker goes on within seconds of a crash.
  heartbeatTimeout: '5s',
  // Covers a lost worker or database, for as long as it takes: a repeat goes on where the rows say.
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
});

const { moveReplay, readReplay } = proxyActivities<ReplayActivities>({
  // A few short statements; retried until the database takes them, because somebody said so.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
});

export type ReplayDeliveriesResult = Pick<ReplayStanding, 'status' | 'planned' | 'sent'>;

/**
 * Sends old events again by a plan that is frozen before the first one goes. The rows hold the plan and how far it has
 * come; this workflow sees to it that somebody is at work on them, until everything is sent or somebody cancels. People
 * may signal `pauseReplay`, `resumeReplay` and `cancelReplay`; cancelling this workflow cancels the replay.
 */
export async function replayDeliveries({ replayId, heldMs }: ReplayDeliveriesInput): Promise<ReplayDeliveriesResult> {
  let now: ReplayStanding = { status: 'planning', planned: 0, sent: 0, isHeld: false };
  let mayHaveMoved = false;
  setHandler(replayProgress, () => now);
  setHandler(replayMoved, () => {
    mayHaveMoved = true;
  });
  setHandler(pauseReplay, () => move('pause'));
  setHandler(resumeReplay, () => move('resume'));
  setHandler(cancelReplay, () => move('cancel'));

  try {
    show(await readReplay({ replayId }));
    while (!endedReplayStatuses.includes(now.status)) {
      await step();
      if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) {
        await continueAsNew<typeof replayDeliveries>({ replayId, heldMs });
      }
    }
    await condition(allHandlersFinished);
    return await end();
  } catch (error) {
    if (!isCancellation(error)) throw error;
    return await CancellationScope.nonCancellable(async () => {
      show(await moveReplay({ replayId, move: 'cancel' }));
      return await end();
    });
  }

  /** Does what the rows say is next; what moves from the moment on when they are asked is looked at in the next step. */
  async function step(): Promise<void> {
    if (now.status === 'paused') await condition(() => mayHaveMoved);
    mayHaveMoved = false;
    if (now.status === 'paused') return show(await readReplay({ replayId }));
    if (now.status === 'planning') {
      return show(await planReplay.executeWithOptions({ summary: 'writes the plan' }, [{ replayId }]));
    }
    show(await sendReplay.executeWithOptions({ summary: `sends from ${now.sent} on` }, [{ replayId }]));
    if (now.isHeld) await condition(() => mayHaveMoved, heldMs, { summary: 'live traffic goes first' });
  }

  async function move(how: ReplayMove): Promise<void> {
    show(await moveReplay.executeWithOptions({ summary: how }, [{ replayId, move: how }]));
    mayHaveMoved = true;
  }

  function show(standing: ReplayStanding): void {
    if (standing.status !== now.status) upsertSearchAttributes([{ key: stateAttribute, value: standing.status }]);
    now = standing;
    setCurrentDetails(
      `${standing.status}: ${standing.sent} of ${standing.planned} sent.` +
        (standing.isHeld ? ' Waits: the destinations have live traffic before them, or open circuits.' : ''),
    );
  }

  async function end(): Promise<ReplayDeliveriesResult> {
    show(await readReplay({ replayId }));
    const { status, planned, sent } = now;
    return { status, planned, sent };
  }
}
