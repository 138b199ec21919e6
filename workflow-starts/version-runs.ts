import type { Client } from '@temporalio/client';
import type { DeployedVersion } from './worker-deployments.ts';

export interface VersionRuns {
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
