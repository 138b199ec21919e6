import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type Acceptance, containerWorkflowStart, type StartedContainer } from '../contract/containers/workflow.ts';
import { failureTypes } from '../contract/failures.ts';
import { containerWorkflowId } from '../contract/ids.ts';
import type { carryContainer } from '../workflows/containers/carry-container.ts';
import {
  awaitAcceptance,
  type ContainerProgress,
  containerProgress,
  publishContainer,
} from '../workflows/messages/messages.ts';
import { keywordAttributes } from './keyword-attributes.ts';
import { isPassing, startAndAwait } from './start-and-await.ts';
import type { PublishAnswer, Started } from './workflow-starts.ts';

const START_DEADLINE_MS = 5_000;
/** 30 s until the last create may leave, and the time that the platform may take with it. */
const ACCEPTANCE_DEADLINE_MS = 45_000;
/** The publish itself, and the reads that clear up a lost answer. */
const PUBLISH_DEADLINE_MS = 60_000;
/** Between two tries to hand an update in. */
const ASK_AGAIN_MS = 250;
/** Whoever reads a container waits for it; the row answers otherwise. */
const QUERY_DEADLINE_MS = 500;

export interface ContainerStart {
  readonly container: StartedContainer;
  readonly pollScheduleMs: readonly number[];
}

/** Starts the workflow that makes and carries a stored container, and waits until its creation is settled. */
export async function startCreateContainer(client: Client, start: ContainerStart): Promise<Started<Acceptance>> {
  return await startAndAwait(
    () => startWorkflow(client, { ...start, resumed: false }),
    (handle) =>
      untilTaken(Date.now() + ACCEPTANCE_DEADLINE_MS, (deadlineAtMs) =>
        // One id for all who wait: they share one update, of which a workflow takes ten at a time.
        client.withDeadline(deadlineAtMs, () => handle.executeUpdate(awaitAcceptance, { updateId: 'acceptance' })),
      ),
  );
}

/**
 * Asks a container's workflow to publish. The start and the update are two calls: where the first one fails nothing can
 * have been published, which could not be told of one call that does both and lost its connection.
 */
export async function startPublishContainer(client: Client, start: ContainerStart): Promise<Started<PublishAnswer>> {
  const updateId = randomUUID();
  return await startAndAwait<Awaited<ReturnType<typeof startWorkflow>>, PublishAnswer>(
    () => startWorkflow(client, { ...start, resumed: true }),
    (handle) =>
      untilTaken(Date.now() + PUBLISH_DEADLINE_MS, (deadlineAtMs) =>
        client.withDeadline(deadlineAtMs, () => handle.executeUpdate(publishContainer, { updateId })),
      ).catch((error: unknown) => refusalOf(error)),
  );
}

/**
 * Asks again where the server has not taken an update: it has as many in flight as it lets a workflow have, or has just
 * handed the workflow to another worker. The update's id makes sure that one that was taken after all is not another.
 */
async function untilTaken<Result>(
  deadlineAtMs: number,
  ask: (deadlineAtMs: number) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await ask(deadlineAtMs);
    } catch (error) {
      if (!isPassing(error) || Date.now() + ASK_AGAIN_MS > deadlineAtMs) throw error;
    }
    await sleep(ASK_AGAIN_MS);
  }
}

function startWorkflow(
  client: Client,
  { container, pollScheduleMs, resumed }: ContainerStart & { readonly resumed: boolean },
) {
  const { workflowType, keywords, ...options } = containerWorkflowStart(container, { pollScheduleMs, resumed });
  return client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
    client.workflow.start<typeof carryContainer>(workflowType, {
      ...options,
      typedSearchAttributes: keywordAttributes(keywords),
    }),
  );
}

/** The workflow's own refusals are answers; whatever else went wrong leaves the outcome open. */
function refusalOf(error: unknown): PublishAnswer {
  if (error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure) {
    if (error.cause.type === failureTypes.containerNotReady) return 'refused_not_ready';
    if (error.cause.type === failureTypes.containerEnded) return 'refused_ended';
  }
  throw error;
}

/** How the container stands for its workflow; undefined where no workflow or no worker answers in time. */
export async function queryContainer(client: Client, containerId: string): Promise<ContainerProgress | undefined> {
  return await client
    .withDeadline(Date.now() + QUERY_DEADLINE_MS, () =>
      client.workflow.getHandle(containerWorkflowId(containerId)).query(containerProgress),
    )
    .catch(() => undefined);
}
