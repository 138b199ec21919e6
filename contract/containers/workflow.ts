import { defaultPublishWaits, type PublishWaits } from './poll.ts';
import { containerWorkflowId } from '../ids.ts';
import type { ContainerStatus } from './status.ts';
import { searchAttributes } from '../search-attributes.ts';
import { taskQueues } from '../task-queues.ts';

/** What a container's workflow is started with: ids, counts and times; what is to be published stays in the database. */
export interface CarryContainerInput {
  readonly containerId: string;
  /** 0 for anything but a carousel. */
  readonly childCount: number;
  readonly autoPublish: boolean;
  /** When the platform forgets an unpublished container. */
  readonly expiresAtMs: number;
  /** Waits before the second, third … look at a container that is being processed; the last one repeats. */
  readonly pollScheduleMs: readonly number[];
  readonly publishWaits: PublishWaits;
  /** What the row says as the run starts, and so what the run says until it has read or done something itself. */
  readonly status: ContainerStatus;
  /** Another run has begun this: what it left is read before anything is done. */
  readonly resumed: boolean;
  /** Left by a run that goes on as this one, so that the schedule goes on as well. */
  readonly looksMade?: number;
  readonly checkedAtMs?: number | null;
}

/** A container, as far as its workflow's start needs it. */
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
 * How the workflow of a container is started, by whoever starts it: the API that has just stored it, a worker that
 * finds it abandoned, or a publish that finds no run. A running one is left alone; parts that were sent are never sent
 * again, because the rows say so.
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

/** What came of a container's creation, for whoever waits for it. */
export type Acceptance = 'accepted' | 'rejected' | 'lost' | 'not_sent';

/** What came of a publish that was asked for. The platform's own words about it are in the row. */
export type PublishResult =
  | 'published'
  /** The platform is not ready after all. */
  | 'not_ready'
  | 'quota_exceeded'
  | 'rejected'
  /** The platform could not be asked, so nothing was sent. */
  | 'unreachable'
  /** The answer was lost, and what could be read since does not show it as published. */
  | 'lost'
  | 'expired'
  | 'failed';
