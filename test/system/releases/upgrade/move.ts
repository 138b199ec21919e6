import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@temporalio/client';
import { until } from '../../../harness/until.ts';
import type { Installation } from './installation.ts';
import { admin, type Generation } from './generation.ts';

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
  if (options.beforeKill) {
    const afterKill = await options.beforeKill();
    await from.workers[1].kill9();
    // Pinned runs end on the workers of their version, so a supervisor starts a killed worker again.
    await from.workers[1].start();
    await afterKill();
  }
  if (options.isRollback) await admin({ version: to.version, env, parameters: ['set-current-version'] });
  await untilDrained(options);
  if (from.workers[1].isAlive()) await stop('last worker', from.workers[1]);
  await to.api.start();
  paths.api.drainTo(to.apiPort);
  await stop('API', from.api);
  await to.gateway.start();
  paths.gateway.drainTo(to.gatewayPort);
  await stop('gateway', from.gateway);
  return problems;
}

/** Waits until no run needs a worker of the version. */
async function untilDrained({ client, from }: Move): Promise<void> {
  const bundle: { workerBuildId(): string } = await import(
    pathToFileURL(join(from.version.root, 'worker/workflow-bundle.ts')).href
  );
  const buildId = bundle.workerBuildId();
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
