import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { ReplayState } from '../../contract/replays/replay.ts';

export const pauseReplay = defineSignal('pauseReplay');
export const resumeReplay = defineSignal('resumeReplay');
export const cancelReplay = defineSignal('cancelReplay');

/** The replay's row changed, or the replay makes no progress. */
export const replayMoved = defineSignal('replayMoved');

export const replayProgress = defineQuery<ReplayState>('replayProgress');
