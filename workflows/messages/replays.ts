import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { ReplayStanding } from '../../contract/replays/replay.ts';

/** Sent by users. They have no effect on a replay that has ended. */
export const pauseReplay = defineSignal('pauseReplay');
export const resumeReplay = defineSignal('resumeReplay');
export const cancelReplay = defineSignal('cancelReplay');

/** The replay's row changed, or the replay makes no progress: the workflow must read the row. */
export const replayMoved = defineSignal('replayMoved');

export const replayProgress = defineQuery<ReplayStanding>('replayProgress');
