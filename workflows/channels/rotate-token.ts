import {
  allHandlersFinished,
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
import { rotateChannelToken } from '../messages/tokens.ts';
import { stateAttribute } from '../messages/state-attribute.ts';

const { mintToken, endTokenOverlap } = proxyActivities<ChannelTokenActivities>({
  // One short transaction each, conditional on its rows, so a repeat changes nothing.
  startToCloseTimeout: '10s',
  // Until the database takes it: a rotation that comes too late is given up by its own deadline.
  retry: { initialInterval: '200ms', maximumInterval: '30s' },
});

export interface RotateTokenResult {
  readonly rotationIds: readonly number[];
}

/**
 * Rotates a channel's token: has a new one minted for each rotation that is asked for, and the previous one revoked when
 * the overlap is over. A rotation during an overlap ends the older overlap. Runs from the first rotation until no
 * overlap is left. The database refuses a token from its end on by itself, so nothing depends on this timer's hour.
 */
export async function rotateToken({ channelId, overlapMs }: RotateTokenInput): Promise<RotateTokenResult> {
  const rotationIds: number[] = [];
  let overlapEndsAtMs = endOf(overlapMs);
  let turn: Promise<unknown> = Promise.resolve();
  // One after the other: what the last one leaves behind is what counts.
  setHandler(rotateChannelToken, (rotation) => {
    const own = turn.then(() => rotate(rotation));
    turn = own.catch(() => undefined);
    return own;
  });

  for (;;) {
    await condition(allHandlersFinished);
    if (overlapEndsAtMs === null) break;
    const endsAtMs: number = overlapEndsAtMs;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof rotateToken>({ channelId, overlapMs: endsAtMs - Date.now() });
    }
    tell('overlap', `The previous token ends ${instant(endsAtMs)}.`);
    const rotationsBefore = rotationIds.length;
    const summary = `previous token ends ${instant(endsAtMs)}`;
    const leftMs = Math.max(endsAtMs - Date.now(), 1);
    if (await condition(() => rotationIds.length > rotationsBefore, leftMs, { summary })) continue;
    overlapEndsAtMs = endOf(await endTokenOverlap.executeWithOptions({ summary: 'end of overlap' }, [{ channelId }]));
  }
  tell('ended', `Ended: ${rotationIds.length} rotations, no previous token is left.`);
  return { rotationIds };

  async function rotate({ rotationId }: RotationInput): Promise<RotationResult> {
    const made = await mintToken.executeWithOptions({ summary: `rotation ${rotationId}` }, [{ rotationId }]);
    if (made.result !== 'rotated') return made.result;
    rotationIds.push(rotationId);
    overlapEndsAtMs = endOf(made.overlapMs);
    return made.result;
  }
}

/** The length comes from the database's clock, which may differ from ours. */
function endOf(overlapMs: number | null): number | null {
  return overlapMs === null ? null : Date.now() + overlapMs;
}

function tell(state: 'overlap' | 'ended', details: string): void {
  upsertSearchAttributes([{ key: stateAttribute, value: state }]);
  setCurrentDetails(details);
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
