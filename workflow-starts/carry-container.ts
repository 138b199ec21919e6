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

/** 30 s until the last create may leave, and the time that the platform may take with it. */
const ACCEPTANCE_DEADLINE_MS = 45_000;
/** The publish itself, and the reads that clear up a lost answer. */
const PUBLISH_DEADLINE_MS = 60_000;
/** A request that reads a container waits for the query; the row answers otherwise. */
const QUERY_DEADLINE_MS = 500;

type ContainerStart = Omit<StartInputs['carryContainer'], 'resumed'>;

/** Starts the workflow of a stored container if none runs, and waits until its creation is settled. */
export function createContainer(calls: WorkflowCalls, start: ContainerStart): Promise<Started<Acceptance>> {
  return calls.startThenUpdate('carryContainer', {
    input: { ...start, resumed: false },
    update: awaitAcceptance,
    // All callers share one update: a workflow takes ten at a time.
    updateId: 'acceptance',
    updateDeadlineMs: ACCEPTANCE_DEADLINE_MS,
    answerOf: rethrow,
  });
}

/** Asks a container's workflow to publish, starting it if none runs, and waits for the outcome. */
export function publishContainer(calls: WorkflowCalls, start: ContainerStart): Promise<Started<PublishAnswer>> {
  return calls.startThenUpdate<'carryContainer', PublishAnswer>('carryContainer', {
    input: { ...start, resumed: true },
    update: publishUpdate,
    updateId: randomUUID(),
    updateDeadlineMs: PUBLISH_DEADLINE_MS,
    answerOf: refusalOf,
  });
}

/** Returns the container's state as its workflow knows it; undefined if no workflow or no worker answers in time. */
export function queryContainer(calls: WorkflowCalls, containerId: string): Promise<ContainerProgress | undefined> {
  return calls.reach(containerWorkflowId(containerId), {
    deadlineMs: QUERY_DEADLINE_MS,
    call: (handle) => handle.query(containerProgress),
  });
}

function rethrow(error: unknown): never {
  throw error;
}

/** The workflow's own refusals are answers; every other error leaves the outcome unknown. */
function refusalOf(error: unknown): PublishAnswer {
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    if (error.cause.type === failureTypes.containerNotReady) return 'refused_not_ready';
    if (error.cause.type === failureTypes.containerEnded) return 'refused_ended';
  }
  throw error;
}
