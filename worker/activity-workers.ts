import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { type ActivityQueue, taskQueues } from '../contract/task-queues.ts';

/** Activities that run at the same time, for one worker process. */
export type ActivitySlots = Readonly<Record<ActivityQueue, number>>;

export const activitySlots: ActivitySlots = {
  // One for each person who waits. A probe of a webhook that is being saved may take 10 s. More than the API's share.
  interactive: 100,
  // An email takes up to 40 s if the mail server hangs.
  codes: 100,
  mails: 50,
  // At 10 s for a receiver that does not respond, 20 attempts per second. Each holds a socket and one body.
  receivers: 200,
  // Mostly waiting for the platform, whose rate limits bind first.
  media: 100,
  // Each replay holds one slot and shares the database with the pumps.
  upkeep: 40,
};

const activityQueues = Object.keys(activitySlots) as ActivityQueue[];

/** The SDK sends heartbeats after 80 % of their timeout, which leaves a worker that pauses only the rest. */
const HEARTBEAT_THROTTLE = '5s';

/** Each call waits up to a minute at the server, and two are enough to fill the slots within a second. */
const POLLS = 2;

export interface ActivityWorkers {
  readonly shared: Pick<
    WorkerOptions,
    'namespace' | 'activities' | 'interceptors' | 'shutdownGraceTime' | 'shutdownForceTime' | 'workerDeploymentOptions'
  > & {
    readonly connection: NativeConnection;
  };
  readonly slots?: ActivitySlots;
}

/**
 * Creates one worker for each kind of activity that can occupy a slot for long. Every worker has all activities, so
 * that a later release may move an activity between queues.
 */
export async function createActivityWorkers({
  shared,
  slots = activitySlots,
}: ActivityWorkers): Promise<readonly Worker[]> {
  const create = (kind: ActivityQueue): Promise<Worker> =>
    Worker.create({
      ...shared,
      taskQueue: taskQueues[kind],
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      maxConcurrentActivityTaskExecutions: slots[kind],
      maxConcurrentActivityTaskPolls: Math.min(POLLS, slots[kind]),
    });
  const workers: Worker[] = [];
  for (const kind of activityQueues) workers.push(await create(kind));
  return workers;
}
