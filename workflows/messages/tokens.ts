import { defineUpdate } from '@temporalio/workflow';
import type { RotationInput, RotationResult } from '../../contract/channels/token.ts';

/** Idempotent per rotation. */
export const rotateChannelToken = defineUpdate<RotationResult, [RotationInput]>('rotateChannelToken');
