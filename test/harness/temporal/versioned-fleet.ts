import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { taskQueues } from '../../../contract/task-queues.ts';
import { createActivityWorkers } from '../../../worker/activity-workers.ts';
import { promoteVersion } from '../../../worker/promote-version.ts';
import { deploymentOptions } from '../../../worker/worker-version.ts';
import { workflowBundle } from '../../../worker/workflow-bundle.ts';
import { describeDeployment, type WorkerDeployment } from '../../../workflow-starts/worker-deployments.ts';
import { testDatabase } from '../database/database.ts';
import { testHotPool } from '../database/hot-pool.ts';
import { type LoggedLine, rememberingLog } from '../quiet-log.ts';
import { ownNamespace } from '../system/own-namespace.ts';
import { until } from '../until.ts';
import { cacheOptions, connectOnce, dueDelivery } from './temporal.ts';

export const deploymentName = 'test-workers';
const SLOTS = 4;
/** The server needs seconds to make a version current, and minutes on a busy machine. */
const CURRENT_TIMEOUT_MS = 240_000;
const TEST_TIMEOUT_MS = 900_000;

export interface RunningBuild {
  readonly lines: readonly LoggedLine[];
  /** As SIGTERM does. */
  stop(): Promise<void>;
}

export interface VersionedFleet {
  readonly client: Client;
  readonly databaseUrl: string;
  /** The builds that ran each activity, in order. */
  readonly ran: readonly { readonly activity: string; readonly build: string }[];
  /** Starts a worker of a build, or an unversioned one. */
  startBuild(build: string, options?: { readonly as?: 'automatic' | 'manual' | 'unversioned' }): Promise<RunningBuild>;
  start(type: string, input?: object): Promise<WorkflowHandle>;
  deployment(): Promise<WorkerDeployment | undefined>;
  untilCurrent(build: string | null): Promise<void>;
  buildsOf(activity: string): readonly string[];
}

/** Serves the product's queues in the test's own namespace with workers of several builds of the same code. */
export async function versionedFleet(
  t: ExecutionContext<unknown>,
  activities: Readonly<Record<string, () => unknown>>,
  { usesFixtures = false }: { readonly usesFixtures?: boolean } = {},
): Promise<VersionedFleet> {
  t.timeout(TEST_TIMEOUT_MS);
  const connection = await connectOnce();
  const client = await ownNamespace(t, process.env['TEST_TEMPORAL_ADDRESS']!);
  const { url } = await testDatabase(t);
  const pool = testHotPool(t, url);
  const { namespace } = client.options;
  const promoting = new Client({ connection: await connectWithoutRetries(t), namespace });
  const ran: { activity: string; build: string }[] = [];
  const recordedBy = (build: string) =>
    Object.fromEntries(
      Object.entries(activities).map(([activity, act]) => [
        activity,
        async () => {
          ran.push({ activity, build });
          return act();
        },
      ]),
    );

  async function startBuild(build: string, { as = 'automatic' }: { as?: 'automatic' | 'manual' | 'unversioned' } = {}) {
    const isVersioned = as !== 'unversioned';
    const version = isVersioned ? { deploymentName, buildId: build, isPromoted: as === 'automatic' } : undefined;
    const shared = {
      connection,
      namespace,
      activities: { ...dueDelivery, ...recordedBy(build) },
      ...deploymentOptions(version),
    };
    const few = { interactive: SLOTS, codes: SLOTS, mails: SLOTS };
    const slots = { ...few, receivers: SLOTS, media: SLOTS, upkeep: SLOTS };
    const bundle = await (usesFixtures ? fixtureBundle() : workflowBundle({ isVersioned }));
    const main = await Worker.create({
      ...shared,
      ...cacheOptions(),
      taskQueue: taskQueues.main,
      workflowBundle: bundle,
      stickyQueueScheduleToStartTimeout: '1s',
    });
    const workers = [main, ...(await createActivityWorkers({ shared, slots }))];
    const stopping = new AbortController();
    const log = rememberingLog();
    const runs = workers.map((worker) => worker.run());
    const holder = `${build}/${randomUUID()}`;
    if (version)
      runs.push(promoteVersion({ client: promoting, pool, holder, version, stopping: stopping.signal, log }));
    const stop = async (): Promise<void> => {
      stopping.abort();
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.all(runs);
    };
    t.teardown(stop);
    return { lines: log.lines, stop };
  }

  const deployment = () => describeDeployment(client, deploymentName);
  return {
    client,
    databaseUrl: url,
    ran,
    startBuild,
    deployment,
    start: (type, input = {}) =>
      client.workflow.start(type, { args: [input], taskQueue: taskQueues.main, workflowId: `test/${randomUUID()}` }),
    untilCurrent: async (build) => {
      const isCurrent = async () => (await deployment())?.currentBuildId === build;
      await until(isCurrent, { for: `Current version ${build}`, timeoutMs: CURRENT_TIMEOUT_MS });
    },
    buildsOf: (activity) => ran.filter((each) => each.activity === activity).map((each) => each.build),
  };
}

/**
 * Without retries: promotion does not wait for its call when it stops, and the SDK's next try after the connection has
 * closed would be an uncaught exception.
 */
async function connectWithoutRetries(t: ExecutionContext<unknown>): Promise<Connection> {
  const connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS']!, interceptors: [] });
  t.teardown(() => connection.close());
  return connection;
}

const logger = new DefaultLogger('ERROR');
const workflowsPath = join(import.meta.dirname, 'fixture-workflows.ts');
let bundled: Promise<{ code: string }> | undefined;

/** Workflows of the tests instead of the product's. */
export function fixtureBundle(): Promise<{ code: string }> {
  return (bundled ??= bundleWorkflowCode({ workflowsPath, logger }));
}
