import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { whyUnversioned } from './worker-deployments.ts';

export interface RunningRun {
  readonly workflowId: string;
  readonly runId: string;
}

/** Temporal's history message, which the replayer takes. */
export type RunHistory = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

/** Runs that the current version continues: all except those that are pinned to a version. */
const MOVING = "(TemporalWorkflowVersioningBehavior is null or TemporalWorkflowVersioningBehavior != 'Pinned')";

/** Yields the histories of at most `limit` running runs that are not pinned to a version. */
export async function* runningHistories(
  client: Client,
  { workflowType, limit }: { readonly workflowType: string; readonly limit: number },
): AsyncGenerator<{ readonly workflowId: string; readonly history: RunHistory }> {
  const isVersioned = (await whyUnversioned(client)) === undefined;
  const query = `WorkflowType = '${workflowType}' and ExecutionStatus = 'Running'${isVersioned ? ` and ${MOVING}` : ''}`;
  let count = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: Math.min(limit, 1_000) })) {
    if (count++ === limit) return;
    const history = await client.workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
      .catch((error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return undefined; // deleted since
        throw error;
      });
    if (history) yield { workflowId, history };
  }
}

export interface StartedBefore {
  readonly workflowType: string;
  readonly startedBefore: Date;
}

export function listRunning(
  client: Client,
  { workflowType, startedBefore }: StartedBefore,
): AsyncIterable<WorkflowExecutionInfo> {
  const query =
    `WorkflowType = '${workflowType}' and ExecutionStatus = 'Running' and ` +
    `StartTime < '${startedBefore.toISOString()}'`;
  return client.workflow.list({ query, pageSize: 1_000 });
}

/** Returns whether a worker is executing an activity of the run. */
export async function isBusy(client: Client, { workflowId, runId }: RunningRun): Promise<boolean> {
  const { raw } = await client.workflow.getHandle(workflowId, runId).describe();
  return (raw.pendingActivities ?? []).some(({ state }) => state !== SCHEDULED);
}

/** Temporal's `PENDING_ACTIVITY_STATE_SCHEDULED`. */
const SCHEDULED = 1;

/** Returns false if the run has closed. */
export async function terminateRun(
  client: Client,
  { workflowId, runId }: RunningRun,
  reason: string,
): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId, runId).terminate(reason);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** Returns the number of workflows that run again, as another run. */
export async function countRestarted(client: Client, ended: readonly RunningRun[]): Promise<number> {
  let count = 0;
  for (const { workflowId, runId } of ended) {
    const { runId: present, status } = await client.workflow.getHandle(workflowId).describe();
    if (present !== runId && status.name === 'RUNNING') count++;
  }
  return count;
}
