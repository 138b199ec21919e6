import { replayWorkflowId } from '../ids.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/**
 * The states of a replay and the moves between them.
 *
 *   planning ──the plan is complete──▶ running ──everything is sent──▶ completed
 *   planning, running ──a person──▶ paused ──a person──▶ planning or running, as it was
 *   planning, running, paused ──a person──▶ cancelled
 */
export const replayStatuses = ['planning', 'running', 'paused', 'completed', 'cancelled'] as const;
export type ReplayStatus = (typeof replayStatuses)[number];

export const endedReplayStatuses: readonly ReplayStatus[] = ['completed', 'cancelled'];

/** What a person does to a replay. */
export const replayMoves = ['pause', 'resume', 'cancel'] as const;
export type ReplayMove = (typeof replayMoves)[number];

export const DEFAULT_REPLAY_RATE = 50;
export const MAX_REPLAY_RATE = 1_000;
/** For a host that has not proved that it wants this traffic: all replays of the installation together. */
export const UNVERIFIED_REPLAY_RATE = 10;

/** How a replay stands, as its activities report it. */
export interface ReplayStanding {
  readonly status: ReplayStatus;
  /** How many deliveries are in the plan; as far as it has been made, while it is being made. */
  readonly planned: number;
  readonly sent: number;
  /** Nothing could be sent for a while, because every destination has live traffic waiting or an open circuit. */
  readonly isHeld: boolean;
}

export interface ReplayDeliveriesInput {
  readonly replayId: string;
  /** How long the workflow waits before it looks again at destinations that take nothing. */
  readonly heldMs: number;
}

const HELD_MS = 15_000;

/** A replay as its workflow is started. */
export interface ReplayStart {
  readonly replayId: string;
  /** `channel:…`, `workspace:…` or `organization:…`. */
  readonly scope: string;
  readonly workspaceId: string | null;
  readonly channelId: string | null;
  readonly destination: string | null;
  readonly ratePerSecond: number;
}

/**
 * How a replay's workflow is started or told to look again, by whoever notices that there is something to see: the
 * request that made or moved the replay, or a worker that finds one without a workflow. The row says what is to be done.
 */
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
