import type { Client } from '@temporalio/client';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { type RotationResult, rotationWorkflowStart, type StartedRotation } from '../contract/channels/token.ts';
import { rotateChannelToken } from '../workflows/messages/messages.ts';
import type { rotateToken } from '../workflows/channels/rotate-token.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import { startAndAwait } from './start-and-await.ts';
import type { Started } from './workflow-starts.ts';

/** One short transaction of a worker; below the rotation's own deadline. */
const CALL_DEADLINE_MS = 15_000;

/**
 * Has a staged rotation made by the channel's workflow, starting one where none runs. Start and update are one call, so
 * that a run which is just ending can't be met between the two; what it leaves open, the rotation's row settles.
 */
export async function startRotateToken(client: Client, rotation: StartedRotation): Promise<Started<RotationResult>> {
  const { workflowType, keywords, ...options } = rotationWorkflowStart(rotation);
  const call = () =>
    client.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      client.workflow.executeUpdateWithStart(rotateChannelToken, {
        args: [{ rotationId: rotation.rotationId }],
        updateId: `rotation-${rotation.rotationId}`,
        startWorkflowOperation: new WithStartWorkflowOperation<typeof rotateToken>(workflowType, {
          ...options,
          typedSearchAttributes: keywordAttributes(keywords),
        }),
      }),
    );
  return await startAndAwait(call, (result) => Promise.resolve(result));
}
