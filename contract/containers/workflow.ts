import { defaultPublishWaits, type PublishWaits } from './poll.ts';
import { containerWorkflowId } from '../ids.ts';
import type { ContainerStatus } from './status.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/** The media and texts stay in the database. */
export interface CarryContainerInput {
  readonly containerId: string;
  /** 0 unless it is a carousel. */
  readonly childCount: number;
  readonly autoPublish: boolean;
  readonly expiresAtMs: number;
  /** Delays before the second, third … poll. The last one repeats. */
  readonly pollScheduleMs: readonly number[];
  readonly publishWaits: PublishWaits;
  /** The row's status at the start, which queries return until the run has read a newer one. */
  readonly status: ContainerStatus;
  /** An earlier run may have sent parts, so the run reads the rows before it acts. */
  readonly resumed: boolean;
  /** Optional. Set on continue-as-new, so that the poll schedule continues. */
  readonly looksMade?: number;
  readonly checkedAtMs?: number | null;
}

export interface StartedContainer {
  readonly containerId: string;
  readonly channelId: string;
  readonly workspaceId: string;
  readonly mediaType: string;
  readonly childCount: number;
  readonly autoPublish: boolean;
  readonly expiresAtMs: number;
  readonly status: ContainerStatus;
}

/**
 * Returns the start options of a container's workflow, for the API, for a worker that adopts an abandoned container, and
 * for a publish without a run. A running workflow is kept. Rows record the parts that were sent, so a new run does not
 * send them again.
 */
export function containerWorkflowStart(
  container: StartedContainer,
  { pollScheduleMs, resumed }: { readonly pollScheduleMs: readonly number[]; readonly resumed: boolean },
) {
  const { containerId, childCount, autoPublish, expiresAtMs, status } = container;
  const input: CarryContainerInput = {
    ...{ containerId, childCount, autoPublish, expiresAtMs, status },
    ...{ pollScheduleMs, publishWaits: defaultPublishWaits, resumed },
  };
  return {
    workflowType: 'carryContainer',
    workflowId: containerWorkflowId(containerId),
    taskQueue: taskQueues.main,
    args: [input] as [CarryContainerInput],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `${container.mediaType} of ${container.channelId}`,
    keywords: {
      [searchAttributes.workspace]: container.workspaceId,
      [searchAttributes.channel]: container.channelId,
      [searchAttributes.state]: container.status,
    },
  } as const;
}

/** The outcome of a creation, for the request that waits for it. */
export type Acceptance = 'accepted' | 'rejected' | 'lost' | 'not_sent';

/** The outcome of a publish request. The platform's message is in the row. */
export type PublishResult =
  | 'published'
  /** The platform is still processing the container. */
  | 'not_ready'
  | 'quota_exceeded'
  | 'rejected'
  /** The platform could not be reached. Nothing was sent. */
  | 'unreachable'
  /** The response was lost, and later polls do not show the container as published. */
  | 'lost'
  | 'expired'
  | 'failed';
