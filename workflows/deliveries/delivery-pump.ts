import {
  ActivityCancellationType,
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { PumpActivities } from '../../activities/pump/pump-activities.ts';
import type { PumpReport } from '../../contract/deliveries/pump-report.ts';
import { pumpQueueOf } from '../../contract/task-queues.ts';
import { pumpState } from '../messages/messages.ts';
import { isOwnCancellation } from '../runs/this-run.ts';

export interface DeliveryPumpInput {
  readonly holder: string;
  /** Optional. The last report of the run before. */
  readonly report?: PumpReport;
}

const VIEW_MS = 60_000;
/** So that a new worker shows its shards soon. */
const FIRST_VIEW_MS = 5_000;
/** Four hours, which keeps the history readable. */
const VIEWS_PER_RUN = 240;
/** One view may be lost with a restart of Temporal. */
const MAX_LOST_VIEWS = 2;

/**
 * Shows the pump of one worker: its shards, how fast it is, and the destinations in trouble. The leases in PostgreSQL
 * decide who serves a shard, so the end of this workflow stops no delivery. The worker starts it again while it serves.
 * It completes when the pump has stopped or the worker is gone.
 */
export async function deliveryPump({ holder, report: lastReport }: DeliveryPumpInput): Promise<void> {
  let report = lastReport;
  let lostViews = 0;
  setHandler(pumpState, () => report ?? null, { description: 'The last report of the pump. Null before the first.' });
  for (let views = 0; views < VIEWS_PER_RUN && !workflowInfo().continueAsNewSuggested; views++) {
    setCurrentDetails(describe(holder, report));
    const next = await view(holder, report ? VIEW_MS : FIRST_VIEW_MS);
    report = next ?? report;
    if (next && !next.isServing) return setCurrentDetails(`The pump of worker \`${holder}\` has stopped.`);
    lostViews = next ? 0 : lostViews + 1;
    if (lostViews === MAX_LOST_VIEWS) return setCurrentDetails(`The worker \`${holder}\` is gone.`);
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof deliveryPump>({ holder, ...(report && { report }) });
}

/** Returns undefined if the worker does not answer. */
async function view(holder: string, viewMs: number): Promise<PumpReport | undefined> {
  const { watchPump } = proxyActivities<PumpActivities>({
    taskQueue: pumpQueueOf(holder),
    // A view, and a slow statement at its end.
    startToCloseTimeout: '90s',
    // Only this worker polls the queue.
    scheduleToStartTimeout: '1m',
    // The next view is the retry.
    retry: { maximumAttempts: 1 },
    // The activity has no heartbeat, and would delay the cancellation until its end.
    cancellationType: ActivityCancellationType.TRY_CANCEL,
  });
  try {
    return await watchPump.executeWithOptions({ summary: `view of ${viewMs / 1_000} s` }, [{ viewMs }]);
  } catch (error) {
    if (isOwnCancellation(error)) throw error;
    return undefined;
  }
}

/** In Markdown. */
function describe(holder: string, report: PumpReport | undefined): string {
  if (!report) return `Worker \`${holder}\`: no report yet.`;
  const { destinationCount, heldCount, oldestWaitSeconds, promotedCount, settledPerSecond, shards } = report;
  return [
    `Worker \`${holder}\``,
    '',
    `- Shards: ${shards || 'none'}`,
    `- Destinations: ${destinationCount}`,
    `- Deliveries: ${settledPerSecond} a second, ${heldCount} in memory`,
    `- Oldest pending delivery with a closed circuit: ${oldestWaitSeconds} s`,
    `- Deliveries retried by workflows since the start: ${promotedCount}`,
    `- Open circuits: ${describeTrouble(report)}`,
  ].join('\n');
}

function describeTrouble({ troubledCount, troubled }: PumpReport): string {
  const names = troubled.map(({ channelId, destination }) => `\`${channelId}\` ${destination}`);
  const others = troubledCount - names.length;
  if (others > 0) names.push(`${others} more`);
  return names.length > 0 ? `${troubledCount} (${names.join(', ')})` : 'none';
}
