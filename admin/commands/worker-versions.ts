import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { readLiveBuilds } from '../../db/upkeep/worker-builds.ts';
import { workerBuildId } from '../../worker/workflow-bundle.ts';
import { countVersionRuns, isDrained } from '../../workflow-starts/running-runs.ts';
import {
  type DeployedVersion,
  describeDeployment,
  setCurrentVersion as setCurrent,
  setRampingVersion,
  type WorkerDeployment,
} from '../../workflow-starts/worker-deployments.ts';
import type { AdminDeps } from './deps.ts';
import { CommandFailed, readFlags, readNumber, readOptions, UsageError } from './options.ts';

type Deps = Pick<AdminDeps, 'db' | 'config'>;

/** Recorded by Temporal, and distinguishes an operator's choice from a promotion by the workers. */
const IDENTITY = 'admin set-current-version';
const POLL_MS = 2_000;

/** Lists the versions, or fails unless the given one is drained. */
export async function versions(deps: Deps, client: Client, args: readonly string[]): Promise<object> {
  const { drained, wait } = readOptions(args, { needed: [], optional: ['drained', 'wait'] });
  if (drained === undefined && wait !== undefined) throw new UsageError('Use --wait with --drained.');
  const waitMs = wait === undefined ? 0 : readSeconds(wait) * 1_000;
  if (drained !== undefined) return await awaitDrained(deps, client, { given: drained, waitMs });
  const deployment = await requireDeployment(deps, client);
  const { workerDeploymentName: deploymentName } = deps.config;
  const live = await readLiveBuilds(deps.db);
  const list = [];
  for (const version of deployment.versions.toSorted((one, other) => other.createdAtMs - one.createdAtMs)) {
    const { buildId, status, createdAtMs } = version;
    const runs = await countVersionRuns(client, { deploymentName, buildId });
    const workers = live.get(buildId) ?? 0;
    const times = { createdAt: new Date(createdAtMs).toISOString() };
    list.push({ buildId, status, workers, ...runs, isDrained: isDrained(version, runs), ...times });
  }
  const { currentBuildId: current, ramping, changedBy } = deployment;
  return { deploymentName, thisBuild: ownBuildId(deps), current, ramping, changedBy, versions: list };
}

/** Gives the new runs to a version, or a part of them. Default: the version of this code. */
export async function setCurrentVersion(deps: Deps, client: Client, args: readonly string[]): Promise<object> {
  const { flags, rest } = readFlags(args, ['unversioned']);
  const { 'build-id': given, ramp } = readOptions(rest, { needed: [], optional: ['build-id', 'ramp'] });
  if (flags.unversioned && (given !== undefined || ramp !== undefined))
    throw new UsageError('Use --unversioned without --build-id and --ramp.');
  const percentage = ramp === undefined ? undefined : readPercentage(ramp);
  const deployment = await requireDeployment(deps, client);
  const buildId = flags.unversioned ? null : versionOf(deployment, given ?? ownBuildId(deps)).buildId;
  const change = { deploymentName: deps.config.workerDeploymentName, identity: IDENTITY };
  if (percentage === undefined) await setCurrent(client, { ...change, buildId });
  else await setRampingVersion(client, { ...change, buildId: percentage === 0 ? null : buildId, percentage });
  const { currentBuildId, ramping } = await requireDeployment(deps, client);
  return { current: currentBuildId, ramping };
}

interface Drain {
  /** A build id, or `this` for the build of this code. */
  readonly given: string;
  readonly waitMs: number;
}

/** Fails at once if the version gets runs, because it then does not drain. */
async function awaitDrained(deps: Deps, client: Client, { given, waitMs }: Drain): Promise<object> {
  const { workerDeploymentName: deploymentName } = deps.config;
  const buildId = given === 'this' ? ownBuildId(deps) : given;
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const version = versionOf(await requireDeployment(deps, client), buildId);
    const runs = await countVersionRuns(client, { deploymentName, buildId });
    const report = { buildId, status: version.status, ...runs, isDrained: isDrained(version, runs) };
    if (report.isDrained) return report;
    if (version.status === 'current' || version.status === 'ramping')
      throw new CommandFailed(`The build ${buildId} gets new runs. Make another version current first.`, report);
    if (performance.now() + POLL_MS > untilMs)
      throw new CommandFailed(`The build ${buildId} is not drained. Keep its workers and repeat the check.`, report);
    await sleep(POLL_MS);
  }
}

async function requireDeployment({ config }: Deps, client: Client): Promise<WorkerDeployment> {
  const deployment = await describeDeployment(client, config.workerDeploymentName);
  if (deployment) return deployment;
  throw new UsageError(
    `Temporal has no worker deployment '${config.workerDeploymentName}' in this namespace. Start a worker with ` +
      'WORKER_VERSIONING=automatic or manual first.',
  );
}

function versionOf({ versions: known }: WorkerDeployment, buildId: string): DeployedVersion {
  const version = known.find((candidate) => candidate.buildId === buildId);
  if (version) return version;
  const ids = known.map((candidate) => candidate.buildId).join(', ') || 'none';
  throw new UsageError(`No worker of the build '${buildId}' has started yet. Known builds: ${ids}.`);
}

function ownBuildId({ config }: Deps): string {
  return config.workerBuildId ?? workerBuildId();
}

function readSeconds(given: string): number {
  const problem = `Invalid --wait '${given}'. Use a number of seconds.`;
  return readNumber(given, { min: 0, max: 99_999, problem });
}

function readPercentage(given: string): number {
  const problem = `Invalid --ramp '${given}'. Use 1 to 99 percent, or 0 to end the ramp.`;
  return readNumber(given, { min: 0, max: 99, problem });
}
