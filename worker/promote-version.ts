import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { HotPool } from '../db/core/hot-pool.ts';
import { countLiveBuilds, deleteBuild, markBuild } from '../db/upkeep/worker-builds.ts';
import type { Log } from '../process/log.ts';
import { describeDeployment, setCurrentVersion, type WorkerDeployment } from '../workflow-starts/worker-deployments.ts';
import { reasonOf } from './upkeep/lead-upkeep.ts';
import type { WorkerVersion } from './worker-version.ts';

/**
 * Makes the newest build with a live worker current. All workers decide alike: a worker of an older build that restarts
 * during a rollout changes nothing, and after a rollback, when no worker of the newer build is left, the older build
 * becomes current again. A version that an operator has chosen is left alone until a newer build appears.
 */
export interface PromoteVersion {
  readonly client: Client;
  readonly pool: HotPool;
  readonly holder: string;
  readonly version: WorkerVersion;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

const ROUND_MS = 5_000;
/** Until the server knows the version of a worker that has just started. */
const REGISTERING_MS = 200;
/** After a first failure. Doubles with each, up to a round: without a current version no run of a new namespace starts. */
const RETRY_MS = 200;
/** So that an outage of the database, in which no worker seems live, does not take the runs back. */
const ROUNDS_TO_RETURN = 4;
const AUTOMATIC = 'automatic promotion';

/** Runs until `stopping` aborts. Without automatic promotion it only records that the build is live. */
export async function promoteVersion({ stopping, log, ...deps }: PromoteVersion): Promise<void> {
  const { pool, holder, version } = deps;
  const stopped = new Promise<undefined>((resolve) => {
    if (stopping.aborted) resolve(undefined);
    stopping.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  let shown: Standing | undefined;
  let returningRounds = 0;
  let failures = 0;
  while (!stopping.aborted) {
    // Not awaited at a stop, because the server may take seconds.
    const standing = await Promise.race([round(deps, returningRounds >= ROUNDS_TO_RETURN), stopped]).catch(
      (error: unknown) => {
        log.warn('version.promoteFailed', { buildId: version.buildId, reason: reasonOf(error) });
        return undefined;
      },
    );
    returningRounds = standing === 'returning' ? returningRounds + 1 : 0;
    if (standing && standing !== shown) show(standing);
    shown = standing ?? shown;
    failures = standing ? 0 : failures + 1;
    await sleep(nextRoundMs(standing, failures), undefined, { signal: stopping }).catch(() => undefined);
  }
  await deleteBuild(pool, holder).catch(() => undefined);

  function show(standing: Standing): void {
    if (standing === 'registering') return;
    const { deploymentName, buildId } = version;
    if (standing === 'current') return log.info('version.activated', { deploymentName, buildId });
    log.info('version.deferred', { deploymentName, buildId, because: standing });
  }
}

/** `failures`: rounds in a row without a standing. */
export function nextRoundMs(standing: Standing | undefined, failures: number): number {
  if (standing === 'registering') return REGISTERING_MS;
  const jitter = 0.8 + Math.random() * 0.4;
  return jitter * (standing ? ROUND_MS : Math.min(ROUND_MS, RETRY_MS * 2 ** (failures - 1)));
}

async function round(
  { client, pool, holder, version }: Omit<PromoteVersion, 'stopping' | 'log'>,
  mayReturn: boolean,
): Promise<Standing> {
  const { deploymentName, buildId, isPromoted } = version;
  await markBuild(pool, { holder, buildId });
  const deployment = await describeDeployment(client, deploymentName);
  const live = await countLiveBuilds(pool);
  const standing = standingOf({ buildId, deployment, isLive: (other) => live.has(other) });
  if (standing !== 'due' && !(standing === 'returning' && mayReturn)) return standing;
  if (!isPromoted) return 'manual';
  const conflictToken = deployment!.conflictToken;
  await setCurrentVersion(client, { deploymentName, buildId, identity: AUTOMATIC, conflictToken });
  return 'current';
}

/**
 * `registering`: the server does not know the version yet. `due`: it is to become current. `older`: a newer build has a
 * live worker. `returning`: the current build is newer or was chosen, but has no
 * live worker. `chosen`: an operator has chosen another version. `manual`: the setting leaves promotions to operators.
 */
export type Standing = 'registering' | 'current' | 'due' | 'older' | 'returning' | 'chosen' | 'manual';

export interface Judged {
  readonly buildId: string;
  readonly deployment: WorkerDeployment | undefined;
  readonly isLive: (buildId: string) => boolean;
}

export function standingOf({ buildId, deployment, isLive }: Judged): Standing {
  if (deployment?.currentBuildId === buildId) return 'current';
  const own = deployment?.versions.find((version) => version.buildId === buildId);
  if (!deployment || !own) return 'registering';
  const { currentBuildId, ramping, changedAtMs, changedBy, versions } = deployment;
  if (versions.some((other) => other.createdAtMs > own.createdAtMs && isLive(other.buildId))) return 'older';
  if (changedBy !== AUTOMATIC && changedAtMs > own.createdAtMs) {
    // Without a live worker, the operator's choice would leave all runs waiting.
    const isServed = currentBuildId === null || isLive(currentBuildId) || ramping?.buildId === buildId;
    return isServed ? 'chosen' : 'returning';
  }
  const current = versions.find((version) => version.buildId === currentBuildId);
  return current && current.createdAtMs > own.createdAtMs ? 'returning' : 'due';
}
