import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { circuitNameOfWorkflow, deliveryIdOfWorkflow } from '../contract/ids.ts';
import { searchAttributes } from '../contract/search-attributes.ts';
import { taskQueues } from '../contract/task-queues.ts';
import type { Log } from '../process/log.ts';
import { isReachable } from '../workflow-starts/is-reachable.ts';
import { ensureSchedules } from '../workflow-starts/schedules.ts';
import { createWorkerStarts, type WorkerStarts } from '../workflow-starts/worker-starts.ts';
import { createListAbandoned } from './abandoned-runs.ts';
import { createContainerAdoption } from './container-adoption.ts';
import { createActivities, type ActivityParts } from './create-activities.ts';
import { createRefreshStarts } from './refresh-starts.ts';
import { createReplayAdoption } from './replay-adoption.ts';
import { workflowBundle } from './workflow-bundle.ts';

export interface RunWorker {
  readonly connectionOptions: Parameters<typeof NativeConnection.connect>[0];
  readonly namespace: string;
  readonly deliveryShards: number;
  readonly scheduleMs: readonly number[];
  readonly pollScheduleMs: readonly number[];
  readonly shutdownGraceMs: number;
  /** Excludes the parts that need Temporal. */
  readonly parts: Omit<
    ActivityParts,
    'startDelivery' | 'startCircuit' | 'listAbandoned' | 'listAbandonedCircuits' | 'isTemporalReachable'
  >;
  readonly onStarted: () => void;
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** How often missing workflows are started. */
const UPKEEP_MS = 5_000;
const CONNECT_RETRY_MS = 1_000;
/** Tolerates one lost heartbeat within the timeout of 3 s. */
const HEARTBEAT_THROTTLE = '1s';
/** After this time another worker takes over the workflows of a lost one. */
const STICKY_TIMEOUT = '1s';
/** Activities that do not end in time are abandoned; their leases expire. */
const FORCE_AFTER_GRACE_MS = 5_000;

/**
 * Runs two workers until `stopping` aborts. The pumps start without the workflow bundle, because they must recover
 * first after a crash.
 */
export async function runWorker(options: RunWorker): Promise<void> {
  const connection = await connectWithRetry(options);
  if (!connection) return;
  try {
    const client = new Client({ connection, namespace: options.namespace });
    await requireSearchAttributes(client);
    const { probeDelaysMs } = options.parts.settings;
    const { scheduleMs: retryScheduleMs, pollScheduleMs, parts } = options;
    const starts = createWorkerStarts({ client, retryScheduleMs, pollScheduleMs, probeDelaysMs });
    const activities = activitiesOf(parts, { client, starts });
    const workers = { connection, namespace: options.namespace, activities };
    await Promise.all([
      runPumps(options, workers),
      runMain(options, workers),
      ...repeatRounds(options, { client, starts }),
      ensureSchedules({ client, ...options }),
    ]);
  } finally {
    // Throws while a failed worker still uses the connection, and must not hide that worker's error.
    await connection
      .close()
      .catch((error: unknown) => options.log.warn('temporal.closeFailed', { reason: reasonOf(error) }));
  }
}

/** Repeatedly starts missing shards and the workflows of stale containers, credentials and replays. */
function repeatRounds(
  { stopping, parts, log, deliveryShards }: RunWorker,
  { client, starts }: { readonly client: Client; readonly starts: WorkerStarts },
): readonly Promise<void>[] {
  return [
    repeat(stopping, {
      act: () => starts.startShards(deliveryShards),
      onFailed: (reason) => log.warn('shards.startFailed', { reason }),
    }),
    repeat(stopping, {
      act: createContainerAdoption({ ...starts, client, db: parts.db, log }),
      onFailed: (reason) => log.warn('containers.adoptFailed', { reason }),
    }),
    repeat(stopping, {
      act: createRefreshStarts({ ...starts, ...parts }),
      onFailed: (reason) => log.warn('credentialRefreshes.startFailed', { reason }),
    }),
    repeat(stopping, {
      act: createReplayAdoption({ ...starts, client, db: parts.db, log }),
      onFailed: (reason) => log.warn('replays.adoptFailed', { reason }),
    }),
  ];
}

function activitiesOf(
  parts: RunWorker['parts'],
  { client, starts }: { readonly client: Client; readonly starts: WorkerStarts },
) {
  return createActivities({
    ...parts,
    startDelivery: starts.startDelivery,
    startCircuit: starts.signalCircuit,
    listAbandoned: createListAbandoned(client, { workflowType: 'deliverWebhook', idOf: deliveryIdOfWorkflow }),
    listAbandonedCircuits: createListAbandoned(client, {
      workflowType: 'destinationCircuit',
      idOf: circuitNameOfWorkflow,
    }),
    isTemporalReachable: () => isReachable(client.connection),
  });
}

interface Workers {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: ReturnType<typeof createActivities>;
}

async function runPumps(options: RunWorker, { activities, ...shared }: Workers): Promise<void> {
  const worker = await Worker.create({
    ...shared,
    ...shutdownTimes(options),
    taskQueue: taskQueues.pump,
    activities: activities.pump,
    maxConcurrentActivityTaskExecutions: options.deliveryShards,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
  });
  await runUntilStopped(worker, options.stopping);
}

async function runMain(options: RunWorker, { activities, ...shared }: Workers): Promise<void> {
  const worker = await Worker.create({
    ...shared,
    ...shutdownTimes(options),
    taskQueue: taskQueues.main,
    activities: activities.main,
    workflowBundle: await workflowBundle(),
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
  });
  options.onStarted();
  options.log.info('worker.started', { namespace: options.namespace, deliveryShards: options.deliveryShards });
  await runUntilStopped(worker, options.stopping);
}

function shutdownTimes({ shutdownGraceMs }: RunWorker) {
  return { shutdownGraceTime: shutdownGraceMs, shutdownForceTime: shutdownGraceMs + FORCE_AFTER_GRACE_MS };
}

async function runUntilStopped(worker: Worker, stopping: AbortSignal): Promise<void> {
  const run = worker.run();
  const stop = (): void => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop, { once: true });
  await run;
}

/** Workflows cannot start without their search attributes. */
async function requireSearchAttributes({ connection, options }: Client): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: options.namespace });
  const missing = Object.values(searchAttributes).filter((name) => !(name in (customAttributes ?? {})));
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new Error(`Temporal lacks the search attributes ${names}: run \`npm run admin -- register-search-attributes\``);
}

async function connectWithRetry({
  connectionOptions,
  stopping,
  log,
}: RunWorker): Promise<NativeConnection | undefined> {
  while (!stopping.aborted) {
    try {
      return await NativeConnection.connect(connectionOptions);
    } catch (error) {
      log.warn('temporal.connectFailed', { reason: reasonOf(error), address: connectionOptions?.address });
      await sleep(CONNECT_RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return undefined;
}

interface RepeatedTask {
  readonly act: () => Promise<void>;
  readonly onFailed: (reason: string) => void;
}

async function repeat(stopping: AbortSignal, { act, onFailed }: RepeatedTask): Promise<void> {
  while (!stopping.aborted) {
    try {
      await act();
    } catch (error) {
      onFailed(reasonOf(error));
    }
    await sleep(UPKEEP_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** Without a stack, because it is logged every second while Temporal is unavailable. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
