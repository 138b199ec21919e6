import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../../contract/search-attributes.ts';
import {
  setCurrentDetails,
  upsertSearchAttributes,
  CancellationScope,
  isCancellation,
  inWorkflowContext,
  workflowInfo,
} from '@temporalio/workflow';
import { type ActivityQueue, taskQueues } from '../../contract/task-queues.ts';

/** What workflows say of their own run. */

export const stateAttribute = defineSearchAttributeKey(searchAttributes.state, SearchAttributeType.KEYWORD);

/** Returns the result. A filter finds it, although a run with a negative result is completed like any other. */
export function showEnd<Result extends string>(result: Result): Result {
  upsertSearchAttributes([{ key: stateAttribute, value: result }]);
  setCurrentDetails(`Ended: ${result}.`);
  return result;
}

/**
 * Returns true if this workflow, or the scope that the caller is in, was cancelled. A child or an activity that was
 * cancelled by itself fails with the same kind of error, and must not end its parent.
 */
export function isOwnCancellation(error: unknown): boolean {
  return isCancellation(error) && CancellationScope.current().consideredCancelled;
}

/**
 * Returns the task queue of a kind of activity. A workflow on any queue other than `main` keeps its activities on that
 * queue, because only the workers of `main` are known to serve the others.
 */
export function activityQueue(kind: ActivityQueue): string {
  if (!inWorkflowContext()) return taskQueues[kind]; // a module that is loaded for its names only
  const { taskQueue } = workflowInfo();
  return taskQueue === taskQueues.main ? taskQueues[kind] : taskQueue;
}
