import { continueAsNew, patched, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { RetentionActivities } from '../../activities/upkeep/retention-activities.ts';
import {
  listenerTasks,
  type RetentionInput,
  type RetentionResult,
  retentionTasks,
} from '../../contract/upkeep/retention.ts';

const { removeOld } = proxyActivities<RetentionActivities>({
  // It reports after a minute; a batch that meets a slow database takes some seconds more.
  startToCloseTimeout: '2m',
  // It heartbeats with every batch, of which one may take as long as its longest statement, 30 s.
  heartbeatTimeout: '40s',
  // Covers a lost worker or database, for as long as it takes: the next run is skipped until this one has ended.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/**
 * Removes what is older than the installation keeps, one task after the other, in small batches. Started every hour by
 * the schedule of the same name; may be cancelled or terminated at any time, the next run goes on with what is left.
 */
export async function retention(input: RetentionInput = {}): Promise<RetentionResult> {
  const removed = { ...input.removed };
  let position = input.position ?? 0;
  const first = input.task === undefined ? 0 : Math.max(0, retentionTasks.indexOf(input.task));
  for (const task of retentionTasks.slice(first)) {
    if (listenerTasks.includes(task) && !patched('listeners')) break;
    for (;;) {
      setCurrentDetails(`removes old ${task}, from ${position} on. ${said(removed)}`);
      const batch = await removeOld.executeWithOptions({ summary: task }, [{ task, position }]);
      removed[task] = (removed[task] ?? 0) + batch.removedCount;
      position = batch.isDone ? 0 : batch.position;
      if (batch.isDone) break;
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof retention>({ task, position, removed });
    }
  }
  setCurrentDetails(said(removed));
  return removed;
}

function said(removed: RetentionResult): string {
  const parts = Object.entries(removed).map(([task, count]) => `${count} ${task}`);
  return parts.length === 0 ? 'Nothing removed yet.' : `Removed: ${parts.join(', ')}.`;
}
