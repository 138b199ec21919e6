import { replayWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/**
 * The states of a replay and their transitions.
 *
 *   planning ──the plan is complete──▶ running ──everything is sent──▶ completed
 *   planning, running ──a person──▶ paused ──a person──▶ planning or running, as before
 *   planning, running, paused ──a person──▶ cancelled
 */
export const replayStatuses = ['planning', 'running', 'paused', 'completed', 'cancelled'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

export const endedReplayStatuses: readonly ReplayStatus[] = ['completed', 'cancelled'];

export const replayMoves = ['pause', 'resume', 'cancel'] as const;
export type ReplayMove = (typeof replayMoves)[number];

export const DEFAULT_REPLAY_RATE = 50;
export const MAX_REPLAY_RATE = 1_000;
/** Per host that has not passed a probe, over the installation. */
export const UNVERIFIED_REPLAY_RATE = 10;

export interface ReplayStanding {
  readonly status: ReplayStatus;
  /** Grows while `planning`. */
  readonly planned: number;
  readonly sent: number;
  /** Every destination has pending live traffic or an open circuit. */
  readonly isHeld: boolean;
}

export interface ReplayDeliveriesInput {
  readonly replayId: string;
  readonly heldMs: number;
}

const HELD_MS = 15_000;

export interface ReplayStart {
  readonly replayId: string;
  /** `channel:…`, `workspace:…` or `organization:…`. */
  readonly scope: string;
  readonly workspaceId: string | null;
  readonly channelId: string | null;
  readonly destination: string | null;
  readonly ratePerSecond: number;
}

/** Returns the options that start or signal the workflow, which reads from the row what to do. */
export function replayWorkflowStart(replay: ReplayStart) {
  const input: ReplayDeliveriesInput = { replayId: replay.replayId, heldMs: HELD_MS };
  return {
    workflowType: 'replayDeliveries',
    workflowId: replayWorkflowId(replay.replayId),
    taskQueue: taskQueues.main,
    args: [input] as [ReplayDeliveriesInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Replay of ${replay.scope} to ${replay.destination ?? 'the same destinations'}, at most ${replay.ratePerSecond}/s`,
    keywords: {
      ...(replay.workspaceId !== null && { [searchAttributes.workspace]: replay.workspaceId }),
      ...(replay.channelId !== null && { [searchAttributes.channel]: replay.channelId }),
      ...(replay.destination !== null && { [searchAttributes.destination]: replay.destination }),
      [searchAttributes.state]: 'planning',
    },
  } as const;
}
