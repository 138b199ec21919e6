import type { Client } from '@temporalio/client';
import type { RegistrationEnd } from '../contract/identity/email-code.ts';
import { registrationWorkflowId } from '../contract/ids.ts';
import { taskQueues } from '../contract/task-queues.ts';
import type { emailCode } from '../workflows/people/email-code.ts';
import { codeRefused, registrationEnded } from '../workflows/messages/messages.ts';
import { startAndAwait } from './start-and-await.ts';
import type { CodeStart, Started } from './workflow-starts.ts';

const START_DEADLINE_MS = 5_000;
const SIGNAL_DEADLINE_MS = 2_000;

/** Starts the workflow that sends a registration's code and owns its window; does not wait for the mail. */
export async function startEmailCode(
  client: Client,
  { id, publicId, windowMs }: CodeStart,
): Promise<Started<'started'>> {
  const start = () =>
    client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
      client.workflow.start<typeof emailCode>('emailCode', {
        taskQueue: taskQueues.main,
        workflowId: registrationWorkflowId(publicId),
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        args: [{ registrationId: id, windowMs }],
        staticSummary: `code of ${publicId}`,
      }),
    );
  return await startAndAwait(start, () => Promise.resolve('started' as const));
}

/** Tells the workflow what became of a try. It learns the end from the database otherwise, so a lost signal is no loss. */
export async function signalCodeTried(
  client: Client,
  { publicId, result }: { publicId: string; result: RegistrationEnd | 'refused' },
): Promise<void> {
  const handle = client.workflow.getHandle(registrationWorkflowId(publicId));
  await client
    .withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () =>
      result === 'refused' ? handle.signal(codeRefused) : handle.signal(registrationEnded, result),
    )
    .catch(() => undefined);
}
