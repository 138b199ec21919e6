import { defineUpdate } from '@temporalio/workflow';
import type { RotationInput, RotationResult } from '../../contract/channels/token.ts';

/** Rotates the channel's token and returns the result. Idempotent for a rotation. */
export const rotateChannelToken = defineUpdate<RotationResult, [RotationInput]>('rotateChannelToken');
