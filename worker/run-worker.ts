import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities, type ActivityParts } from '../activities/create-activities.ts';
import { taskQueues } from '../contract/task-queues.ts';
import type { Log } from '../log.ts';
import { missingSearchAttributes } from './search-attributes.ts';
import { createListAbandoned, createStartDelivery, startDeliveryShards } from './delivery-workflows.ts';
import { workflowBundle } from './workflow-bundle.ts';

export interface RunWorker {
  readonly connectionOptions: Parameters<typeof NativeConnection.connect>[0];
  readonly namespace: string;
  readonly deliveryShards: number;
  readonly scheduleMs: readonly number[];
  readonly shutdownGraceMs: number;
  /** What the activities are made of, except for what needs Temporal. */
  readonly parts: Omit<ActivityParts, 'startDelivery' | 'listAbandoned'>;
  /** Aborts when the process should end. */
  readonly stopping: AbortSignal;
  readonly log: Log;
}

/** How often the shards' workflows are started again, should somebody have ended one. */
const KEEP_SHARDS_MS = 5_000;
const CONNECT_RETRY_MS = 1_000;
/** Below the heartbeat timeout of 4 s by enough that one lost heartbeat is no loss. */
const HEARTBEAT_THROTTLE = '1s';
/** A worker that cannot end its activities in time is ended all the same; the leases see to the rest. */
const FORCE_AFTER_GRACE_MS = 5_000;

/**
 * Runs both workers of the process until `stopping` aborts: the pumps on a queue of their own, everything else on the
 * main queue. The pumps do not wait for the workflow bundle: after a crash they are the first thing to be back.
 */
export async function runWorker(options: RunWorker): Promise<void> {
  const { namespace, log, stopping, shutdownGraceMs } = options;
  const connection = await connectUntilThere(options);
  if (!connection) return;
  try {
    const client = new Client({ connection, namespace });
    const missing = await missingSearchAttributes(client);
    if (missing.length > 0) {
      throw new Error(
        `Temporal lacks the search attributes ${missing.join(', ')}: run \`npm run admin -- register-search-attributes\``,
      );
    }
    const activities = createActivities({
      ...options.parts,
      startDelivery: createStartDelivery(client, options.scheduleMs),
      listAbandoned: createListAbandoned(client),
    });
    const shared = {
      connection,
      namespace,
      shutdownGraceTime: shutdownGraceMs,
      shutdownForceTime: shutdownGraceMs + FORCE_AFTER_GRACE_MS,
    };
    const pumps = await Worker.create({
      ...shared,
      taskQueue: taskQueues.pump,
      activities: activities.pump,
      maxConcurrentActivityTaskExecutions: options.deliveryShards,
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    });
    const runs = [pumps.run()];
    const main = await Worker.create({
      ...shared,
      taskQueue: taskQueues.main,
      activities: activities.main,
      workflowBundle: await workflowBundle(),
    });
    runs.push(main.run());
    const stop = (): void => [pumps, main].forEach((worker) => worker.getState() === 'RUNNING' && worker.shutdown());
    stopping.addEventListener('abort', stop, { once: true });
    if (stopping.aborted) stop();
    log.info('worker.started', { namespace, deliveryShards: options.deliveryShards });
    await Promise.all([...runs, keepShards(client, options)]);
  } finally {
    await connection.close();
  }
}

async function connectUntilThere({
  connectionOptions,
  stopping,
  log,
}: RunWorker): Promise<NativeConnection | undefined> {
  while (!stopping.aborted) {
    try {
      return await NativeConnection.connect(connectionOptions);
    } catch (error) {
      log.warn('temporal.notReached', { reason: reasonOf(error), address: connectionOptions?.address });
      await sleep(CONNECT_RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return undefined;
}

async function keepShards(client: Client, { deliveryShards, stopping, log }: RunWorker): Promise<void> {
  while (!stopping.aborted) {
    try {
      await startDeliveryShards(client, deliveryShards);
    } catch (error) {
      log.warn('shards.notStarted', { reason: reasonOf(error) });
    }
    await sleep(KEEP_SHARDS_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}

/** Said every second while Temporal is away: one line, without a stack. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
