import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { scheduleIds } from '../contract/ids.ts';
import { taskQueues } from '../contract/task-queues.ts';
import type { Log } from '../process/log.ts';
import type { invariants } from '../workflows/upkeep/invariants.ts';
import type { retention } from '../workflows/upkeep/retention.ts';

const CALL_TIMEOUT_MS = 5_000;
const RETRY_MS = 5_000;
/** What was due while Temporal was away is made up for, once. */
const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' } as const;

/**
 * Creates the schedules that are not there yet; of several workers one creates each. Those that are there stay as they
 * are: somebody may have paused one, or have moved its time.
 */
export async function createSchedules(client: Client): Promise<void> {
  await createUnlessThere(client, () =>
    client.schedule.create<typeof retention>({
      scheduleId: scheduleIds.retention,
      spec: { intervals: [{ every: '1 hour' }], jitter: '5 minutes' },
      policies,
      action: {
        type: 'startWorkflow',
        workflowType: 'retention',
        workflowId: scheduleIds.retention,
        taskQueue: taskQueues.main,
        args: [{}],
        staticSummary: 'Removes what is older than the installation keeps',
      },
    }),
  );
  await createUnlessThere(client, () =>
    client.schedule.create<typeof invariants>({
      scheduleId: scheduleIds.invariants,
      spec: { calendars: [{ hour: 4 }], jitter: '15 minutes' },
      policies,
      action: {
        type: 'startWorkflow',
        workflowType: 'invariants',
        workflowId: scheduleIds.invariants,
        taskQueue: taskQueues.main,
        args: [],
        staticSummary: 'Checks that the ledger is true',
      },
    }),
  );
}

/** Creates them when Temporal is there to do so. */
export async function keepSchedules({ client, stopping, log }: KeepSchedules): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await createSchedules(client);
    } catch (error) {
      log.warn('schedules.missed', { error });
    }
    await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

export interface KeepSchedules {
  readonly client: Client;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

async function createUnlessThere(client: Client, create: () => Promise<unknown>): Promise<void> {
  try {
    await client.connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, create);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
