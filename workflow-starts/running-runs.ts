import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { whyUnversioned, type DeployedVersion } from './worker-deployments.ts';

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

interface VersionRuns {
  readonly openRuns: number;
  /** Open runs that need a worker of the version. */
  readonly pinnedRuns: number;
}

/** Covers the delay of the visibility store after the last run was pinned. */
const SETTLING_MS = 60_000;

export async function countVersionRuns(
  client: Client,
  { deploymentName, buildId }: { readonly deploymentName: string; readonly buildId: string },
): Promise<VersionRuns> {
  const open = `ExecutionStatus = 'Running' and TemporalWorkerDeploymentVersion = '${deploymentName}:${buildId}'`;
  const [all, pinned] = await Promise.all([
    client.workflow.count(open),
    client.workflow.count(`${open} and TemporalWorkflowVersioningBehavior = 'Pinned'`),
  ]);
  return { openRuns: all.count, pinnedRuns: pinned.count };
}

/**
 * Returns whether the workers of the version can be stopped. The server notices only after several minutes that no
 * pinned run is left.
 */
export function isDrained({ status, deactivatedAtMs }: DeployedVersion, { pinnedRuns }: VersionRuns): boolean {
  switch (status) {
    case 'drained':
      return true;
    case 'current':
    case 'ramping':
      return false;
    case 'inactive':
      return pinnedRuns === 0;
    case 'draining':
      return pinnedRuns === 0 && Date.now() - (deactivatedAtMs ?? 0) > SETTLING_MS;
  }
}
