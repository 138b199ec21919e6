import {
  CancellationScope,
  continueAsNew,
  executeChild,
  proxyActivities,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { ChildWorkflowFailure, defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { RolloutActivities } from '../../activities/webhooks/rollout-activities.ts';
import { fewAtATime } from '../../contract/few-at-a-time.ts';
import { webhookSaveWorkflowId } from '../../contract/ids.ts';
import { searchAttributes } from '../../contract/search-attributes.ts';
import { ROLLOUT_CONCURRENCY, type RollOutWebhookInput, type StagedSave } from '../../contract/webhooks/rollout.ts';
import { activityQueue, stateAttribute, isOwnCancellation } from '../runs/this-run.ts';
import { saveWebhook } from './save-webhook.ts';

const { planRolloutPage } = proxyActivities<RolloutActivities>({
  taskQueue: activityQueue('upkeep'),
  // A few short transactions for each of 200 channels.
  startToCloseTimeout: '2m',
  heartbeatTimeout: '5s',
  // Covers a lost worker or database. A repeat continues from the stored results.
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
});

const { stageRolloutSave, settleRolloutSave, endRollout } = proxyActivities<RolloutActivities>({
  taskQueue: activityQueue('upkeep'),
  // Short, idempotent transactions, retried until they commit.
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '15s' },
});

export type RollOutWebhookResult = 'completed' | 'cancelled';

/**
 * Gives a default webhook to channels, each by the workflow that also saves a channel's own webhook. The database stores
 * the result of each channel. Cancelling the workflow cancels the rollout.
 */
export async function rollOutWebhook({ rolloutId, after = 0 }: RollOutWebhookInput): Promise<RollOutWebhookResult> {
  let position = after;
  try {
    for (;;) {
      setCurrentDetails(`Looking at the channels after ${position}.`);
      const page = await planRolloutPage.executeWithOptions({ summary: `after ${position}` }, [
        { rolloutId, after: position },
      ]);
      await fewAtATime(page.channels, ROLLOUT_CONCURRENCY, (channel) => saveOne(rolloutId, channel));
      if (page.isDone) return await end(rolloutId, 'completed');
      position = page.last;
      if (workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof rollOutWebhook>({ rolloutId, after: position });
      }
    }
  } catch (error) {
    if (!isOwnCancellation(error)) throw error;
    return await CancellationScope.nonCancellable(() => end(rolloutId, 'cancelled'));
  }
}

async function saveOne(rolloutId: string, channel: number): Promise<void> {
  const staged = await stageRolloutSave({ rolloutId, channel });
  if (staged === null) return;
  try {
    await runSave(staged);
  } catch (error) {
    // The candidate's row says how far the save came.
    if (isOwnCancellation(error) || !(error instanceof ChildWorkflowFailure)) throw error;
  }
  await settleRolloutSave({ rolloutId, channel, candidateId: staged.candidateId });
}

async function runSave({ candidateId, channelId, workspaceId }: StagedSave): Promise<void> {
  await executeChild(saveWebhook, {
    workflowId: webhookSaveWorkflowId(channelId, candidateId),
    args: [{ candidateId }],
    workflowExecutionTimeout: '60s',
    staticSummary: `webhook of ${channelId}`,
    typedSearchAttributes: [
      { key: channelKey, value: channelId },
      { key: workspaceKey, value: workspaceId },
      ...workflowInfo()
        .typedSearchAttributes.getAll()
        .filter(({ key }) => key.name === searchAttributes.organization),
    ],
  });
}

const channelKey = defineSearchAttributeKey(searchAttributes.channel, SearchAttributeType.KEYWORD);
const workspaceKey = defineSearchAttributeKey(searchAttributes.workspace, SearchAttributeType.KEYWORD);

async function end(rolloutId: string, as: RollOutWebhookResult): Promise<RollOutWebhookResult> {
  const status = await endRollout({ rolloutId, as });
  upsertSearchAttributes([{ key: stateAttribute, value: status }]);
  setCurrentDetails(`Ended: ${status}.`);
  return status;
}
