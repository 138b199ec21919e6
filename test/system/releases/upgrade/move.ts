import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@temporalio/client';
import { until } from '../../../harness/until.ts';
import type { Installation } from './installation.ts';
import { admin, type Generation, isVersioned } from './generation.ts';

export interface Move {
  readonly from: Generation;
  readonly to: Generation;
  /** True if the next version has served before. It does not become current by itself then. */
  readonly isRollback: boolean;
  /** Optional. Called before the last worker is killed; returns what to do afterwards. Default: it is stopped. */
  readonly beforeKill?: (() => Promise<() => Promise<void>>) | undefined;
  readonly client: Client;
  readonly say: (text: string) => void;
}

/**
 * Replaces the processes of one version by those of another, one at a time: a worker beside a worker, a stop, another
 * worker, a kill or a stop, then API and gateway. Returns the problems of the stops.
 */
export async function move({ paths, env }: Installation, options: Move): Promise<string[]> {
  const { from, to, say } = options;
  const problems: string[] = [];
  const stop = async (name: string, process: Generation['api']): Promise<void> => {
    const end = await process.stop();
    if (end.code !== 0) problems.push(`${name} of ${from.version.name} ended with ${JSON.stringify(end)}`);
  };
  say(`From ${from.version.name} to ${to.version.name}.`);
  await to.workers[0].start();
  await stop('worker', from.workers[0]);
  await to.workers[1].start();
  const needsDrain = isVersioned(from.version);
  if (options.beforeKill) {
    const afterKill = await options.beforeKill();
    await from.workers[1].kill9();
    // Pinned runs end on the workers of their version, so a supervisor starts a killed worker again.
    if (needsDrain) await from.workers[1].start();
    await afterKill();
  }
  if (needsDrain && options.isRollback) await makeCurrent({ from, to, env });
  if (needsDrain) await untilDrained(options);
  if (from.workers[1].isAlive()) await stop('last worker', from.workers[1]);
  await to.api.start();
  paths.api.drainTo(to.apiPort);
  await stop('API', from.api);
  await to.gateway.start();
  paths.gateway.drainTo(to.gatewayPort);
  await stop('gateway', from.gateway);
  return problems;
}

/** Gives the runs to the workers of the next version. Unversioned ones cannot take them by themselves. */
async function makeCurrent({ from, to, env }: Pick<Move, 'from' | 'to'> & Pick<Installation, 'env'>): Promise<void> {
  const command = ['set-current-version'];
  if (isVersioned(to.version)) await admin({ version: to.version, env, parameters: command });
  else await admin({ version: from.version, env, parameters: [...command, '--unversioned'] });
}

/** The last release has the second one. */
interface BuildIds {
  readonly workerBuildId?: () => string;
  readonly workflowBuildId?: () => string;
}

/** Waits until no run needs a worker of the version. */
async function untilDrained({ client, from }: Move): Promise<void> {
  const bundle = (await import(pathToFileURL(join(from.version.root, 'worker/workflow-bundle.ts')).href)) as BuildIds;
  const buildId = (bundle.workerBuildId ?? bundle.workflowBuildId)!();
  const query =
    `ExecutionStatus = 'Running' and TemporalWorkflowVersioningBehavior = 'Pinned' and ` +
    `TemporalWorkerDeploymentVersion = 'messaging-channels:${buildId}'`;
  const isDrained = async (): Promise<boolean> => (await client.workflow.count(query)).count === 0;
  await until(isDrained, { for: `The end of the pinned runs of ${from.version.name}` });
}

export async function startGeneration({ paths }: Installation, generation: Generation): Promise<void> {
  const { api, gateway, workers, apiPort, gatewayPort } = generation;
  await Promise.all([api, gateway, ...workers].map((process) => process.start()));
  paths.api.drainTo(apiPort);
  paths.gateway.drainTo(gatewayPort);
}
