import type { Client } from '@temporalio/client';
import type { WorkerOptions } from '@temporalio/worker';
import type { Log } from '../process/log.ts';
import { describeDeployment, whyUnversioned } from '../workflow-starts/worker-deployments.ts';
import { workerBuildId } from './workflow-bundle.ts';

export interface Versioning {
  readonly mode: 'automatic' | 'manual' | 'off';
  readonly deploymentName: string;
  /** Optional. Default: the digest of the worker's code. */
  readonly buildId?: string | undefined;
}

export interface WorkerVersion {
  readonly deploymentName: string;
  readonly buildId: string;
  /** Whether the workers make their version current themselves. */
  readonly isPromoted: boolean;
}

/** Returns undefined for a worker without a version: the setting says so, or the server cannot version workers. */
export async function chooseVersion(
  client: Client,
  { mode, deploymentName, buildId = workerBuildId() }: Versioning,
  log: Log,
): Promise<WorkerVersion | undefined> {
  const reason = await whyUnversioned(client);
  if (mode !== 'off') {
    if (reason === undefined) return { deploymentName, buildId, isPromoted: mode === 'automatic' };
    log.warn('versioning.disabled', { reason });
  } else if (reason === undefined) {
    const deployment = await describeDeployment(client, deploymentName);
    const current = deployment?.currentBuildId;
    if (current) log.warn('versioning.bypassed', { current, command: 'admin set-current-version --unversioned' });
  }
  return undefined;
}

export function deploymentOptions(version: WorkerVersion | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (!version) return {};
  const { deploymentName, buildId } = version;
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId },
      useWorkerVersioning: true,
      // Required, but every workflow type declares its own.
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
