import {
  ActivityFailure,
  ApplicationFailure,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { RetentionActivities } from '../../activities/upkeep/retention-activities.ts';
import { type RetentionInput, type RetentionResult, retentionTasks } from '../../contract/upkeep/retention.ts';
import { failureTypes } from '../../contract/failures.ts';
import { isOwnCancellation, activityQueue } from '../runs/this-run.ts';

const { removeOld } = proxyActivities<RetentionActivities>({
  taskQueue: activityQueue('upkeep'),
  // A call returns after a minute plus one batch.
  startToCloseTimeout: '2m',
  // Longer than the longest statement, 30 s.
  heartbeatTimeout: '40s',
  // Covers a lost worker or database for ten minutes. A step that fails for longer must not stop the others.
  retry: { initialInterval: '1s', maximumInterval: '1m', maximumAttempts: 15 },
});

/**
 * Deletes old data in small batches. Started hourly by the schedule of the same name. Safe to cancel or terminate. Fails at
 * its end if a step failed, and names it.
 */
export async function retention(input: RetentionInput = {}): Promise<RetentionResult> {
  const removed = { ...input.removed };
  const failed = [...(input.failed ?? [])];
  let position = input.position ?? 0;
  const first = input.task === undefined ? 0 : Math.max(0, retentionTasks.indexOf(input.task));
  for (const task of retentionTasks.slice(first)) {
    for (;;) {
      setCurrentDetails(`Removing old ${task} from position ${position}. ${describeRemoved(removed)}`);
      const batch = await removeOld.executeWithOptions({ summary: task }, [{ task, position }]).catch(givenUp);
      if (!batch) {
        failed.push(task);
        position = 0;
        break;
      }
      removed[task] = (removed[task] ?? 0) + batch.removedCount;
      position = batch.isDone ? 0 : batch.position;
      if (batch.isDone) break;
      if (workflowInfo().continueAsNewSuggested)
        await continueAsNew<typeof retention>({ task, position, removed, failed });
    }
  }
  setCurrentDetails(describeRemoved(removed));
  if (failed.length > 0) {
    const message = `Old ${failed.join(', ')} could not be removed. The next hour tries again.`;
    throw ApplicationFailure.nonRetryable(message, failureTypes.retentionIncomplete);
  }
  return removed;
}

function givenUp(error: unknown): undefined {
  if (!(error instanceof ActivityFailure) || isOwnCancellation(error)) throw error;
}

function describeRemoved(removed: RetentionResult): string {
  const parts = Object.entries(removed).map(([task, count]) => `${count} ${task}`);
  return parts.length === 0 ? 'Nothing removed yet.' : `Removed: ${parts.join(', ')}.`;
}
