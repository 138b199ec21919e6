import type { Client } from '@temporalio/client';
import { testEventWorkflowId } from '../contract/ids.ts';
import { searchAttributes } from '../contract/search-attributes.ts';
import { taskQueues } from '../contract/task-queues.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import type { sendTestEvent } from '../workflows/destinations/send-test-event.ts';
import { startAndAwait } from './start-and-await.ts';
import type { Started, TestEventStart } from './workflow-starts.ts';

const START_DEADLINE_MS = 5_000;
/** The attempt's own 10 s, a fault of ours before it, and the queue. */
const RESULT_DEADLINE_MS = 25_000;

/** Sends a staged sample event and waits for what comes of it. */
export async function startSendTestEvent(client: Client, test: TestEventStart): Promise<Started<'attempted'>> {
  const { channelId, workspaceId, destination, testEventId } = test;
  return await startAndAwait(
    () =>
      client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
        client.workflow.start<typeof sendTestEvent>('sendTestEvent', {
          taskQueue: taskQueues.main,
          workflowId: testEventWorkflowId(channelId, testEventId),
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          workflowExecutionTimeout: '60s',
          args: [{ testEventId }],
          staticSummary: `test event of ${channelId} to ${destination}`,
          typedSearchAttributes: keywordAttributes({
            [searchAttributes.workspace]: workspaceId,
            [searchAttributes.channel]: channelId,
            [searchAttributes.destination]: destination,
          }),
        }),
      ),
    (handle) => client.withDeadline(Date.now() + RESULT_DEADLINE_MS, () => handle.result()),
  );
}
