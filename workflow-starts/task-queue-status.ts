import type { Client } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { taskQueues } from '../contract/task-queues.ts';

/** The numbers of Temporal are approximate. */
export interface TaskQueueStatus {
  readonly queue: string;
  readonly kind: 'workflow' | 'activity';
  /** Tasks that no worker has taken. */
  readonly waitingCount: number;
  /** Of the oldest of them. */
  readonly oldestSeconds: number;
  /** Workers that ask for tasks. */
  readonly pollerCount: number;
  /** Since one of them last asked. Null without one. */
  readonly polledSeconds: number | null;
}

const DEADLINE_MS = 1_500;
/** Temporal's `TASK_QUEUE_TYPE_*`. */
const kinds = { workflow: 1, activity: 2 } as const;

/** Returns undefined while Temporal does not answer. */
export async function readTaskQueues(client: Client): Promise<readonly TaskQueueStatus[] | undefined> {
  const activities = Object.values(taskQueues).map((queue) => readTaskQueue(client, { queue, kind: 'activity' }));
  const statuses = Promise.all([readTaskQueue(client, { queue: taskQueues.main, kind: 'workflow' }), ...activities]);
  return await statuses.catch(() => undefined);
}

async function readTaskQueue(
  client: Client,
  { queue, kind }: Pick<TaskQueueStatus, 'queue' | 'kind'>,
): Promise<TaskQueueStatus> {
  const { pollers, stats } = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflowService.describeTaskQueue({
      namespace: client.options.namespace,
      taskQueue: { name: queue },
      taskQueueType: kinds[kind],
      reportStats: true,
    }),
  );
  const polledAtMs = Math.max(...(pollers ?? []).map(({ lastAccessTime }) => tsToMs(lastAccessTime)));
  return {
    queue,
    kind,
    waitingCount: Number(stats?.approximateBacklogCount ?? 0),
    oldestSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
    pollerCount: new Set(pollers?.map(({ identity }) => identity)).size,
    polledSeconds: pollers?.length ? Math.max(0, (Date.now() - polledAtMs) / 1_000) : null,
  };
}
