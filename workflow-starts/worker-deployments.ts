import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';

/** Setting a version waits until the task queues know it, which takes seconds. */
const CALL_DEADLINE_MS = 20_000;
/** The server answers from a workflow of its own, whose tasks it can lose. All calls may run twice. */
const MAX_CALLS = 3;

/** Codes of gRPC. */
const DEADLINE_EXCEEDED = 4;
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;

/** Temporal's `VERSION_DRAINAGE_STATUS_*`. */
const DRAINING = 1;
const DRAINED = 2;

/** The first release with the final form of deployments. */
const MIN_SERVER = { major: 1, minor: 28 };

/** `inactive`: no run has started on it yet. `draining`: it may still have pinned runs. */
export type VersionStatus = 'inactive' | 'current' | 'ramping' | 'draining' | 'drained';

export interface DeployedVersion {
  readonly buildId: string;
  readonly status: VersionStatus;
  /** When a worker of this version polled first. */
  readonly createdAtMs: number;
  /** When it last stopped being current or ramping, or null. */
  readonly deactivatedAtMs: number | null;
}

export interface WorkerDeployment {
  /** Null while unversioned workers get the new runs. */
  readonly currentBuildId: string | null;
  readonly ramping: { readonly buildId: string; readonly percentage: number } | null;
  /** When the current or the ramping version last changed, and the identity that changed it. */
  readonly changedAtMs: number;
  readonly changedBy: string;
  readonly versions: readonly DeployedVersion[];
  /** Lets a change fail that another one has overtaken. */
  readonly conflictToken: Uint8Array;
}

/** Returns why the server cannot version workers, or undefined if it can. */
export async function whyUnversioned(client: Client): Promise<string | undefined> {
  const { workflowService, namespace } = serviceOf(client);
  return await withDeadline(client, async () => {
    const { serverVersion } = await workflowService.getSystemInfo({});
    if (isOlder(serverVersion)) return `server ${serverVersion} is older than ${MIN_SERVER.major}.${MIN_SERVER.minor}`;
    try {
      await workflowService.listWorkerDeployments({ namespace, pageSize: 1 });
      return undefined;
    } catch (error) {
      const code = codeOf(error);
      if (code !== UNIMPLEMENTED && code !== PERMISSION_DENIED) throw error;
      return error instanceof Error ? error.message : String(error);
    }
  });
}

/** Returns undefined until a versioned worker has polled. */
export async function describeDeployment(
  client: Client,
  deploymentName: string,
): Promise<WorkerDeployment | undefined> {
  const { workflowService, namespace } = serviceOf(client);
  try {
    const { workerDeploymentInfo: info, conflictToken } = await withDeadline(client, () =>
      workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    );
    const routing = info?.routingConfig ?? {};
    const currentBuildId = routing.currentDeploymentVersion?.buildId ?? null;
    const rampingId = routing.rampingDeploymentVersion?.buildId;
    const ramping = rampingId ? { buildId: rampingId, percentage: routing.rampingVersionPercentage ?? 0 } : null;
    const changes = [routing.currentVersionChangedTime, routing.rampingVersionChangedTime];
    return {
      currentBuildId,
      ramping,
      changedAtMs: Math.max(...changes.map((time) => (time ? tsToMs(time) : 0))),
      changedBy: info?.lastModifierIdentity ?? '',
      versions: (info?.versionSummaries ?? []).map((summary) => versionOf(summary, { currentBuildId, rampingId })),
      conflictToken,
    };
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

type Summary = NonNullable<
  NonNullable<
    Awaited<ReturnType<Client['workflowService']['describeWorkerDeployment']>>['workerDeploymentInfo']
  >['versionSummaries']
>[number];

function versionOf(
  { deploymentVersion, drainageStatus, drainageInfo, createTime, lastDeactivationTime }: Summary,
  active: { readonly currentBuildId: string | null; readonly rampingId: string | null | undefined },
): DeployedVersion {
  const buildId = deploymentVersion?.buildId ?? '';
  return {
    buildId,
    status: statusOf(),
    createdAtMs: createTime ? tsToMs(createTime) : 0,
    deactivatedAtMs: lastDeactivationTime ? tsToMs(lastDeactivationTime) : null,
  };

  /** From the routing, because servers before 1.29 send no status. */
  function statusOf(): VersionStatus {
    if (buildId === active.currentBuildId) return 'current';
    if (buildId === active.rampingId) return 'ramping';
    const drainage: number = drainageInfo?.status ?? drainageStatus ?? 0;
    if (drainage === DRAINING) return 'draining';
    return drainage === DRAINED ? 'drained' : 'inactive';
  }
}

export interface VersionChange {
  readonly deploymentName: string;
  /** Null for unversioned workers. */
  readonly buildId: string | null;
  /** Who makes the change. */
  readonly identity: string;
  /** Optional. Default: overwrites concurrent changes. */
  readonly conflictToken?: Uint8Array;
}

/** Gives all new runs and the runs that upgrade automatically to the version. */
export async function setCurrentVersion(client: Client, { buildId, ...change }: VersionChange): Promise<void> {
  const { workflowService, namespace } = serviceOf(client);
  const request = { ...change, namespace, buildId: buildId ?? '' };
  await withDeadline(client, () => workflowService.setWorkerDeploymentCurrentVersion(request));
}

/** Gives a part of these runs to the version. 0 percent and no build end the ramp. */
export async function setRampingVersion(
  client: Client,
  { buildId, percentage, ...change }: VersionChange & { readonly percentage: number },
): Promise<void> {
  const { workflowService, namespace } = serviceOf(client);
  const request = { ...change, namespace, buildId: buildId ?? '', percentage };
  await withDeadline(client, () => workflowService.setWorkerDeploymentRampingVersion(request));
}

function serviceOf({ workflowService, options: { namespace } }: Client) {
  return { workflowService, namespace };
}

async function withDeadline<Result>(client: Client, call: () => Promise<Result>): Promise<Result> {
  for (let calls = 1; ; calls += 1) {
    try {
      return await client.withDeadline(Date.now() + CALL_DEADLINE_MS, call);
    } catch (error) {
      if (codeOf(error) !== DEADLINE_EXCEEDED || calls === MAX_CALLS) throw error;
    }
  }
}

/** Treats an unknown form as new. */
function isOlder(version: string): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) < MIN_SERVER.major || (Number(major) === MIN_SERVER.major && Number(minor) < MIN_SERVER.minor);
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}
