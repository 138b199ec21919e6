import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { ChannelTokenActivities } from '../../activities/channels/channel-token-activities.ts';
import type { RotateTokenInput, RotationInput, RotationResult } from '../../contract/channels/token.ts';
import { failureTypes } from '../../contract/failures.ts';
import { rotateChannelToken } from '../messages/messages.ts';
import { stateAttribute } from '../runs/this-run.ts';

const { mintToken, endTokenOverlap } = proxyActivities<ChannelTokenActivities>({
  // One short, idempotent transaction.
  startToCloseTimeout: '10s',
  // Retried until it commits. A rotation past its own deadline is given up.
  retry: { initialInterval: '200ms', maximumInterval: '30s' },
});

export interface RotateTokenResult {
  readonly rotationIds: readonly number[];
}

/**
 * Mints a token for each requested rotation and revokes the previous one when the overlap ends. A new rotation ends the
 * older overlap. The timer may be late, because the database rejects expired tokens.
 */
export async function rotateToken({ channelId, overlapMs }: RotateTokenInput): Promise<RotateTokenResult> {
  const rotationIds: number[] = [];
  let overlapEndsAtMs = endOf(overlapMs);
  let queue: Promise<unknown> = Promise.resolve();
  // Rotations run one at a time: the last one determines the overlap.
  const rotateNext = (rotation: RotationInput): Promise<RotationResult> => {
    const result = queue.then(() => rotate(rotation));
    queue = result.catch(() => undefined);
    return result;
  };
  setHandler(rotateChannelToken, rotateNext, {
    validator: assertRotation,
    description: 'For the service: mints the token of a rotation. Rotate with the API instead.',
  });

  for (;;) {
    await condition(allHandlersFinished);
    if (overlapEndsAtMs === null) break;
    const endsAtMs: number = overlapEndsAtMs;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof rotateToken>({ channelId, overlapMs: endsAtMs - Date.now() });
    }
    showState('overlap', `The previous token expires at ${toIsoTime(endsAtMs)}.`);
    const rotationsBefore = rotationIds.length;
    const summary = `previous token expires at ${toIsoTime(endsAtMs)}`;
    const leftMs = Math.max(endsAtMs - Date.now(), 1);
    if (await condition(() => rotationIds.length > rotationsBefore, leftMs, { summary })) continue;
    overlapEndsAtMs = endOf(await endTokenOverlap.executeWithOptions({ summary: 'end of overlap' }, [{ channelId }]));
  }
  showState('ended', `Ended after ${rotationIds.length} rotations. No previous token is valid.`);
  return { rotationIds };

  async function rotate({ rotationId }: RotationInput): Promise<RotationResult> {
    const made = await mintToken.executeWithOptions({ summary: `rotation ${rotationId}` }, [{ rotationId }]);
    if (made.result !== 'rotated') return made.result;
    rotationIds.push(rotationId);
    overlapEndsAtMs = endOf(made.overlapMs);
    return made.result;
  }
}

function assertRotation(rotation: unknown): void {
  if (Number.isSafeInteger(Object(rotation).rotationId)) return;
  throw ApplicationFailure.nonRetryable('rotationId must be the number of a rotation.', failureTypes.rotationNotFound);
}

/** Takes a duration, because the database's clock may differ. */
function endOf(overlapMs: number | null): number | null {
  return overlapMs === null ? null : Date.now() + overlapMs;
}

function showState(state: 'overlap' | 'ended', details: string): void {
  upsertSearchAttributes([{ key: stateAttribute, value: state }]);
  setCurrentDetails(details);
}

function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
