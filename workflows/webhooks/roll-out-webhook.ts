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
import { webhookSaveWorkflowId } from '../../contract/ids.ts';
import { searchAttributes } from '../../contract/search-attributes.ts';
import { ROLLOUT_CONCURRENCY, type RollOutWebhookInput, type StagedSave } from '../../contract/webhooks/rollout.ts';
import { activityQueue } from '../queues/activity-queue.ts';
import { stateAttribute } from '../messages/state-attribute.ts';
import { saveWebhook } from './save-webhook.ts';
import { isOwnCancellation } from '../cancellations/is-own-cancellation.ts';

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
      await saveAll(rolloutId, page.channels);
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

/** Saves a few channels at a time. */
async function saveAll(rolloutId: string, channels: readonly number[]): Promise<void> {
  const rest = channels.values();
  const saveRest = async (): Promise<void> => {
    for (const channel of rest) await saveOne(rolloutId, channel);
  };
  await Promise.all(Array.from({ length: Math.min(ROLLOUT_CONCURRENCY, channels.length) }, saveRest));
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
