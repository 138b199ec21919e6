import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { destinationCheckWorkflowId } from '../contract/ids.ts';
import { searchAttributes } from '../contract/search-attributes.ts';
import { taskQueues } from '../contract/task-queues.ts';
import type { checkDestination } from '../workflows/destinations/check-destination.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import { startAndAwait } from './start-and-await.ts';
import type { CheckStart, Started } from './workflow-starts.ts';

const START_DEADLINE_MS = 5_000;
/** One look-up of a name and a little patience; the caller waits on it. */
const RESULT_DEADLINE_MS = 20_000;

/** Has the addresses behind a staged destination judged, and waits for the verdict. */
export async function startCheckDestination(
  client: Client,
  { channelId, workspaceId, destinationId }: CheckStart,
): Promise<Started<'allowed' | 'blocked'>> {
  return await startAndAwait(
    () =>
      client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
        client.workflow.start<typeof checkDestination>('checkDestination', {
          taskQueue: taskQueues.main,
          workflowId: destinationCheckWorkflowId(randomBytes(12).toString('base64url')),
          workflowExecutionTimeout: '60s',
          args: [{ destinationId }],
          staticSummary: `new destination of ${channelId}`,
          typedSearchAttributes: keywordAttributes({
            [searchAttributes.workspace]: workspaceId,
            [searchAttributes.channel]: channelId,
          }),
        }),
      ),
    (handle) => client.withDeadline(Date.now() + RESULT_DEADLINE_MS, () => handle.result()),
  );
}
