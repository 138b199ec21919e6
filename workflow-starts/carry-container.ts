import { randomUUID } from 'node:crypto';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Acceptance } from '../contract/containers/workflow.ts';
import { failureTypes } from '../contract/failures.ts';
import { containerWorkflowId } from '../contract/ids.ts';
import {
  awaitAcceptance,
  type ContainerProgress,
  containerProgress,
  publishContainer as publishUpdate,
} from '../workflows/messages/containers.ts';
import type { Started } from './start-and-await.ts';
import type { StartInputs } from './start-row.ts';
import type { WorkflowCalls } from './workflow-calls.ts';
import type { PublishAnswer } from './workflow-starts.ts';

/** The last create call may start after 30 s; the platform then needs time to respond. */
const ACCEPTANCE_DEADLINE_MS = 45_000;
/** The publish itself, and the reads that resolve a lost response. */
const PUBLISH_DEADLINE_MS = 60_000;
/** If the query takes longer, the row answers the request. */
const QUERY_DEADLINE_MS = 500;

type ContainerStart = Omit<StartInputs['carryContainer'], 'resumed'>;

export function createContainer(calls: WorkflowCalls, start: ContainerStart): Promise<Started<Acceptance>> {
  return calls.startThenUpdate('carryContainer', {
    input: { ...start, resumed: false },
    update: awaitAcceptance,
    // All callers share one update, because a workflow accepts ten at a time.
    updateId: 'acceptance',
    updateDeadlineMs: ACCEPTANCE_DEADLINE_MS,
    answerOf: rethrow,
  });
}

export function publishContainer(calls: WorkflowCalls, start: ContainerStart): Promise<Started<PublishAnswer>> {
  return calls.startThenUpdate<'carryContainer', PublishAnswer>('carryContainer', {
    input: { ...start, resumed: true },
    update: publishUpdate,
    updateId: randomUUID(),
    updateDeadlineMs: PUBLISH_DEADLINE_MS,
    answerOf: refusalOf,
  });
}

export function queryContainer(calls: WorkflowCalls, containerId: string): Promise<ContainerProgress | undefined> {
  return calls.reach(containerWorkflowId(containerId), {
    deadlineMs: QUERY_DEADLINE_MS,
    call: (handle) => handle.query(containerProgress),
  });
}

function rethrow(error: unknown): never {
  throw error;
}

/** The workflow's rejections are results. Any other error leaves the outcome unknown. */
function refusalOf(error: unknown): PublishAnswer {
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    if (error.cause.type === failureTypes.containerNotReady) return 'refused_not_ready';
    if (error.cause.type === failureTypes.containerEnded) return 'refused_ended';
  }
  throw error;
}
