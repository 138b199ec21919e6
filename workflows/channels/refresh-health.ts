import { continueAsNew, proxyActivities, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { HealthActivities } from '../../activities/channels/health-activities.ts';
import { activityQueue } from '../runs/this-run.ts';

const { checkDueHealth } = proxyActivities<HealthActivities>({
  taskQueue: activityQueue('upkeep'),
  // A page has ten channels, whose checks take at most 30 s each.
  startToCloseTimeout: '10m',
  heartbeatTimeout: '5s',
  // Covers a lost worker or database. A repeat takes the channels that are still due.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

export interface RefreshHealthInput {
  /** Optional. Counts of earlier runs of the chain. */
  readonly checkedCount?: number;
  readonly failedCount?: number;
}

export type RefreshHealthResult = Required<RefreshHealthInput>;

/** Checks the channels that are due, page by page and below a rate. Started by the schedule `channel-health`. */
export async function refreshHealth(input: RefreshHealthInput = {}): Promise<RefreshHealthResult> {
  let { checkedCount = 0, failedCount = 0 } = input;
  for (let page = 1; ; page++) {
    const result = await checkDueHealth.executeWithOptions({ summary: `page ${page}` }, []);
    checkedCount += result.checkedCount;
    failedCount += result.failedCount;
    setCurrentDetails(`${checkedCount} channels checked, ${failedCount} without an answer.`);
    if (result.isDone) return { checkedCount, failedCount };
    if (result.waitMs > 0) await sleep(result.waitMs, { summary: 'stay below the rate of calls' });
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof refreshHealth>({ checkedCount, failedCount });
    }
  }
}
