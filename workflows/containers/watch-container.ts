import { proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { ContainerActivities } from '../../activities/containers/container-activities.ts';
import { pollDelayMs } from '../../contract/containers/poll.ts';
import type { ContainerRun } from './container-run.ts';
import { instant, waitText } from './words.ts';

const { checkContainer } = proxyActivities<ContainerActivities>({
  // Reads of 30 s, each tried three times by the client within it, and room for some rows.
  startToCloseTimeout: '120s',
  heartbeatTimeout: '10s',
  // Covers a lost worker or database only: a platform that can't be read is an answer, and the schedule goes on.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { readStanding, endContainer } = proxyActivities<ContainerActivities>({
  // One short transaction each, retried until the database takes it, because nobody else would do it.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Looks at once and then on the schedule, until the platform is done with it or its time is over. */
export async function watchContainer(run: ContainerRun, { children }: { readonly children: boolean }): Promise<void> {
  const { progress, move } = run;
  const { containerId, expiresAtMs, pollScheduleMs } = run.input;
  const what = children ? 'the children' : 'the container';
  for (let looks = progress.looksMade + 1; ; looks++) {
    const nextMs = Date.now() + Math.min(pollDelayMs(pollScheduleMs, looks), run.untilExpiryMs());
    const look = { containerId, children, nextCheckAtMs: nextMs };
    const seen = await checkContainer.executeWithOptions({ summary: `look ${looks} at ${what}` }, [look]);
    progress.checkedAtMs = Date.now();
    progress.looksMade = 0;
    if (seen === 'error' || seen === 'expired') return move(await readStanding({ containerId }));
    if (seen !== 'in_progress' && seen !== 'unreadable') return children ? undefined : move(seen);
    if (Date.now() >= expiresAtMs) return move(await endContainer({ containerId, reason: 'expired' }));
    progress.nextCheckAtMs = nextMs;
    setCurrentDetails(waitText(seen, { looks, nextMs }));
    // Until the time that the row says: the look itself took some of it.
    await sleep(Math.max(nextMs - Date.now(), 1), { summary: `look ${looks + 1} at ${what} ${instant(nextMs)}` });
    await run.goOnAnew({ looksMade: looks });
  }
}

/**
 * Ends a container whose time is over, unless it was published by another hand: the platform is asked once more, and
 * what it says then is the end.
 */
export async function expireContainer({ move, input }: ContainerRun): Promise<void> {
  const { containerId, expiresAtMs } = input;
  const look = { containerId, children: false, nextCheckAtMs: expiresAtMs };
  const seen = await checkContainer.executeWithOptions({ summary: 'last look' }, [look]);
  move(seen === 'published' ? seen : await endContainer({ containerId, reason: 'expired' }));
}
