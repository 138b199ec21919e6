import { ActivityFailure, isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ContainerActivities } from '../../activities/containers/container-activities.ts';
import type { PartOutcome } from '../../contract/containers/status.ts';
import type { Acceptance } from '../../contract/containers/workflow.ts';
import type { ContainerRun } from './container-run.ts';
import { watchContainer } from './watch-container.ts';
import { nameOf } from './words.ts';

const { createPart } = proxyActivities<ContainerActivities>({
  // The platform fetches an image while it answers. Heartbeats tell a lost worker within 10 s; sooner, a worker that is
  // only busy would be taken for lost, and its create with it.
  startToCloseTimeout: '60s',
  heartbeatTimeout: '10s',
  // Once, ever: the platform has no key to tell a repeat by. What was broken off is settled below, by the rows.
  retry: { maximumAttempts: 1 },
});

const { settleCreate, readStanding } = proxyActivities<ContainerActivities>({
  // One short transaction each, retried until the database takes it, because nobody else would do it.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Has the parts made: of a carousel the children at once, and the parent when they all are finished. */
export async function createContainer(run: ContainerRun): Promise<void> {
  const { progress, move } = run;
  const { containerId, childCount } = run.input;
  const positions = childCount === 0 ? [0] : Array.from({ length: childCount }, (_, index) => index + 1);
  setCurrentDetails(childCount === 0 ? 'Being created.' : `${childCount} children are being created.`);
  const outcomes = await Promise.all(positions.map((position) => createOnce({ containerId, position })));
  if (worst(outcomes) !== 'accepted') {
    move(await readStanding({ containerId }));
    progress.acceptance = progress.status === 'unknown' ? 'lost' : worst(outcomes);
    return;
  }
  progress.acceptance = 'accepted';
  if (childCount > 0) {
    await watchContainer(run, { children: true });
    if (progress.status !== 'creating') return;
    setCurrentDetails('All children are finished; the carousel is being created.');
    if ((await createOnce({ containerId, position: 0 })) !== 'accepted') {
      move(await readStanding({ containerId }));
      return;
    }
  }
  move('in_progress');
}

async function createOnce(part: { readonly containerId: string; readonly position: number }): Promise<PartOutcome> {
  try {
    return await createPart.executeWithOptions({ summary: `create ${nameOf(part.position)}` }, [part]);
  } catch (error) {
    // The worker or the database was lost on the way: the rows know whether it was sent.
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return await settleCreate(part);
  }
}

/** What a create is worth of which the parts fared so. */
function worst(outcomes: readonly PartOutcome[]): Acceptance {
  return (['rejected', 'lost', 'not_sent'] as const).find((outcome) => outcomes.includes(outcome)) ?? 'accepted';
}
