import type { Client } from '@temporalio/client';
import { webhookSaveWorkflowId } from '../contract/ids.ts';
import { searchAttributes } from '../contract/search-attributes.ts';
import { taskQueues } from '../contract/task-queues.ts';
import type { saveWebhook, SaveWebhookResult } from '../workflows/webhooks/save-webhook.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import { startAndAwait } from './start-and-await.ts';
import type { SaveStart, Started } from './workflow-starts.ts';

const START_DEADLINE_MS = 5_000;
/** The candidate's own deadline is 30 s: by then the save has ended, or can't commit any more. */
const RESULT_DEADLINE_MS = 33_000;

/** Starts the save of a staged candidate and waits for its end. Each candidate is saved once, so its id is fresh. */
export async function startSaveWebhook(
  client: Client,
  { channelId, workspaceId, candidateId }: SaveStart,
): Promise<Started<SaveWebhookResult>> {
  return await startAndAwait(
    () =>
      client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
        client.workflow.start<typeof saveWebhook>('saveWebhook', {
          taskQueue: taskQueues.main,
          workflowId: webhookSaveWorkflowId(channelId, candidateId),
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          workflowExecutionTimeout: '60s',
          args: [{ candidateId }],
          staticSummary: `webhook of ${channelId}`,
          typedSearchAttributes: keywordAttributes({
            [searchAttributes.workspace]: workspaceId,
            [searchAttributes.channel]: channelId,
          }),
        }),
      ),
    (handle) => client.withDeadline(Date.now() + RESULT_DEADLINE_MS, () => handle.result()),
  );
}
