import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { taskQueues } from '../contract/task-queues.ts';
import type { Log } from '../process/log.ts';
import type { ScheduledName } from './start-row.ts';
import { CALL_DEADLINE_MS } from './start-options.ts';
import { workflowTable } from './workflow-table.ts';

const RETRY_MS = 5_000;
/** A start that was missed while Temporal was down runs once. */
const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' } as const;

/** Safe to call concurrently. Keeps existing schedules, because an operator may have paused or changed them. */
export async function createSchedules(client: Client): Promise<void> {
  await createUnlessExists(client, 'retention');
  await createUnlessExists(client, 'invariants');
}

/** Retries until Temporal is reachable. */
export async function ensureSchedules({ client, stopping, log }: EnsureSchedules): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await createSchedules(client);
    } catch (error) {
      log.warn('schedules.createFailed', { error });
    }
    await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

export interface EnsureSchedules {
  readonly client: Client;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

async function createUnlessExists(client: Client, name: ScheduledName): Promise<void> {
  const { scheduleId, spec, args, summary } = workflowTable[name];
  const create = () =>
    client.schedule.create({
      scheduleId,
      spec,
      policies,
      action: {
        type: 'startWorkflow',
        workflowType: name,
        workflowId: scheduleId,
        taskQueue: taskQueues.main,
        args,
        staticSummary: summary,
      },
    });
  try {
    await client.withDeadline(Date.now() + CALL_DEADLINE_MS, create);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
