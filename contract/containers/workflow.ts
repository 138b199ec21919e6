import { defaultPublishWaits, type PublishWaits } from './poll.ts';
import { containerWorkflowId } from '../ids.ts';
import type { ContainerStatus } from './status.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

export interface CarryContainerInput {
  readonly containerId: string;
  /** 0 unless it is a carousel. */
  readonly childCount: number;
  readonly autoPublish: boolean;
  readonly expiresAtMs: number;
  /** The last one repeats. */
  readonly pollScheduleMs: readonly number[];
  readonly publishWaits: PublishWaits;
  /** Returned by queries until the run has read a newer one. */
  readonly status: ContainerStatus;
  /** An earlier run may have sent parts, so the run reads the rows first. */
  readonly resumed: boolean;
  /** Optional. Set on continue-as-new. */
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

/** Returns the start options. A running workflow is kept, and a new run does not repeat parts that were sent. */
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

/** The outcome of a creation. */
export type Acceptance = 'accepted' | 'rejected' | 'lost' | 'not_sent';

/** The outcome of a publish. The row has the platform's message. */
export type PublishResult =
  | 'published'
  | 'not_ready'
  | 'quota_exceeded'
  | 'rejected'
  /** Nothing was sent. */
  | 'unreachable'
  /** Later polls do not show it as published. */
  | 'lost'
  | 'expired'
  | 'failed';
