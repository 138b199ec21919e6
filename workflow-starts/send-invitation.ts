import type { Client } from '@temporalio/client';
import { invitationWorkflowId } from '../contract/ids.ts';
import { taskQueues } from '../contract/task-queues.ts';
import type { sendInvitation } from '../workflows/people/send-invitation.ts';
import { startAndAwait } from './start-and-await.ts';
import type { Started } from './workflow-starts.ts';

const START_DEADLINE_MS = 5_000;

/** Starts the workflow that sends an invitation's mail; does not wait for the mail. */
export async function startSendInvitation(client: Client, invitationId: string): Promise<Started<'started'>> {
  const start = () =>
    client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
      client.workflow.start<typeof sendInvitation>('sendInvitation', {
        taskQueue: taskQueues.main,
        workflowId: invitationWorkflowId(invitationId),
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        args: [{ invitationId }],
        staticSummary: `mail of ${invitationId}`,
      }),
    );
  return await startAndAwait(start, () => Promise.resolve('started' as const));
}
