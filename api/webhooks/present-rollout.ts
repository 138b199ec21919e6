import { webhookRolloutWorkflowId } from '../../contract/ids.ts';
import type { RolloutResult } from '../../db/webhooks/rollout-results.ts';
import type { RolloutRecord } from '../../db/webhooks/rollouts.ts';
import type { RolloutBody, RolloutResultBody } from '../../openapi/webhooks/default-webhook-routes.ts';

export function presentRollout(rollout: RolloutRecord): RolloutBody {
  const { dryRun, replaceOwn, status, total, applied, unchanged, skipped, failed, webhookUrl } = rollout;
  return {
    rolloutId: rollout.publicId,
    workspaceId: rollout.workspacePublicId,
    webhookUrl,
    trigger: rollout.channelPublicId === null ? 'requested' : 'connected',
    channelId: rollout.channelPublicId,
    ...{ dryRun, replaceOwn, status, total, applied, unchanged, skipped, failed },
    createdAt: rollout.createdAt.toISOString(),
    endedAt: rollout.endedAt?.toISOString() ?? null,
    workflowId: webhookRolloutWorkflowId(rollout.publicId),
  };
}

export function presentResult(result: RolloutResult): RolloutResultBody {
  const { displayName, outcome, reason, detail } = result;
  return {
    channelId: result.channelPublicId,
    workspaceId: result.workspacePublicId,
    ...{ displayName, outcome, reason, detail },
    createdAt: result.createdAt.toISOString(),
  };
}
