import { inWorkflowContext, workflowInfo } from '@temporalio/workflow';
import { type ActivityQueue, taskQueues } from '../../contract/task-queues.ts';

/**
 * Returns the task queue of a kind of activity. A workflow on any queue other than `main` keeps its activities on that
 * queue, because only the workers of `main` are known to serve the others.
 */
export function activityQueue(kind: ActivityQueue): string {
  if (!inWorkflowContext()) return taskQueues[kind]; // a module that is loaded for its names only
  const { taskQueue } = workflowInfo();
  return taskQueue === taskQueues.main ? taskQueues[kind] : taskQueue;
}
