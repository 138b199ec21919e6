import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import { taskQueues } from '../contract/task-queues.ts';
import { type ScheduledType, workflowTypes } from '../workflows/workflow-types.ts';
import { CALL_DEADLINE_MS } from './workflow-calls.ts';

/** A start that was missed while Temporal was down runs once. */
const policies = { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' } as const;

/** Safe to call concurrently. Keeps existing schedules, because an operator may have paused or changed them. */
export async function createSchedules(client: Client): Promise<void> {
  await createUnlessExists(client, 'retention');
  await createUnlessExists(client, 'invariants');
  await createUnlessExists(client, 'refreshHealth');
}

async function createUnlessExists(client: Client, name: ScheduledType): Promise<void> {
  const { scheduleId, spec, args, summary } = workflowTypes[name];
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
