import { ActivityFailure, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ContainerActivities } from '../../activities/containers/container-activities.ts';
import type { PartOutcome } from '../../contract/containers/status.ts';
import type { Acceptance } from '../../contract/containers/workflow.ts';
import { activityQueue, isOwnCancellation } from '../runs/this-run.ts';
import type { ContainerRun } from './container-run.ts';
import { watchContainer } from './watch-container.ts';
import { partName } from './describe-progress.ts';

const { createPart } = proxyActivities<ContainerActivities>({
  taskQueue: activityQueue('media'),
  // The platform downloads an image before it responds.
  startToCloseTimeout: '60s',
  // A timeout leaves the outcome unknown, so that a worker may pause for 20 s.
  heartbeatTimeout: '30s',
  // Waits for a slot. The row records whether a part was sent, and such a part is never sent again.
  retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 12 },
});

const { settleCreate, readStanding } = proxyActivities<ContainerActivities>({
  // One transaction, retried until it commits.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Creates a container, or a carousel's children in parallel and then its parent. */
export async function createContainer(run: ContainerRun): Promise<void> {
  const { progress, move } = run;
  const { containerId, childCount } = run.input;
  const positions = childCount === 0 ? [0] : Array.from({ length: childCount }, (_, index) => index + 1);
  setCurrentDetails(childCount === 0 ? 'Creating the container.' : `Creating ${childCount} children.`);
  const outcomes = await Promise.all(positions.map((position) => createOnce({ containerId, position })));
  if (worstOutcome(outcomes) !== 'accepted') {
    move(await readStanding({ containerId }));
    progress.acceptance = progress.status === 'unknown' ? 'lost' : worstOutcome(outcomes);
    return;
  }
  progress.acceptance = 'accepted';
  if (childCount > 0) {
    await watchContainer(run, { children: true });
    if (progress.status !== 'creating') return;
    setCurrentDetails('All children are finished. Creating the carousel.');
    if ((await createOnce({ containerId, position: 0 })) !== 'accepted') {
      move(await readStanding({ containerId }));
      return;
    }
  }
  move('in_progress');
}

async function createOnce(part: { readonly containerId: string; readonly position: number }): Promise<PartOutcome> {
  try {
    return await createPart.executeWithOptions({ summary: `create ${partName(part.position)}` }, [part]);
  } catch (error) {
    // The row records whether the call was sent.
    if (!(error instanceof ActivityFailure) || isOwnCancellation(error)) throw error;
    return await settleCreate(part);
  }
}

function worstOutcome(outcomes: readonly PartOutcome[]): Acceptance {
  return (['rejected', 'lost', 'not_sent'] as const).find((outcome) => outcomes.includes(outcome)) ?? 'accepted';
}
