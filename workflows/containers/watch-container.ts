import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { ContainerActivities } from '../../activities/containers/container-activities.ts';
import { pollDelayMs } from '../../contract/containers/poll.ts';
import { activityQueue } from '../runs/this-run.ts';
import type { ContainerRun } from './container-run.ts';
import { describeWait, toIsoTime } from './describe-progress.ts';

const { checkContainer } = proxyActivities<ContainerActivities>({
  taskQueue: activityQueue('media'),
  // Parallel reads with up to three tries of 30 s.
  startToCloseTimeout: '120s',
  heartbeatTimeout: '10s',
  // Covers a lost worker or database. An unreadable platform is a result.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { readStanding, endContainer } = proxyActivities<ContainerActivities>({
  // One transaction, retried until it commits.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Checks on the schedule until the container is processed or expires. */
export async function watchContainer(run: ContainerRun, { children }: { readonly children: boolean }): Promise<void> {
  const { progress, move } = run;
  const { containerId, expiresAtMs, pollScheduleMs } = run.input;
  const what = children ? 'the children' : 'the container';
  for (let count = progress.looksMade + 1; ; count++) {
    const nextMs = Date.now() + Math.min(pollDelayMs(pollScheduleMs, count), run.untilExpiryMs());
    const check = { containerId, children, nextCheckAtMs: nextMs };
    const result = await checkContainer.executeWithOptions({ summary: `check ${count} of ${what}` }, [check]);
    progress.checkedAtMs = Date.now();
    progress.looksMade = 0;
    if (result === 'error' || result === 'expired') return move(await readStanding({ containerId }));
    if (result !== 'in_progress' && result !== 'unreadable') return children ? undefined : move(result);
    if (Date.now() >= expiresAtMs) return move(await endContainer({ containerId, reason: 'expired' }));
    progress.nextCheckAtMs = nextMs;
    setCurrentDetails(describeWait(result, { count, nextMs }));
    const summary = `check ${count + 1} of ${what} at ${toIsoTime(nextMs)}`;
    await sleep(Math.max(nextMs - Date.now(), 1), { summary });
    await run.continueAsNewIfSuggested({ looksMade: count });
  }
}

/** Expires a container unless it was published elsewhere. */
export async function expireUnpublished({ move, input }: ContainerRun): Promise<void> {
  const { containerId, expiresAtMs } = input;
  const check = { containerId, children: false, nextCheckAtMs: expiresAtMs };
  const result = await checkContainer.executeWithOptions({ summary: 'last check' }, [check]);
  move(result === 'published' ? result : await endContainer({ containerId, reason: 'expired' }));
}
