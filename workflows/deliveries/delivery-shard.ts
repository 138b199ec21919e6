import {
  ActivityCancellationType,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  log,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { PumpActivities, PumpReport } from '../../activities/pump/pump-activities.ts';
import type { ShardHolder } from '../../contract/deliveries/shard-holder.ts';
import { pumpQueueOf } from '../../contract/task-queues.ts';
import { isShardHolder, shardHeld } from '../messages/messages.ts';
import { isOwnCancellation } from '../runs/this-run.ts';

export interface DeliveryShardInput {
  readonly shard: number;
  /** Optional. Without it, the run waits for the signal of the holder. */
  readonly holder?: ShardHolder;
}

/**
 * Shows which worker serves a shard and how far it is. The lease in PostgreSQL decides who serves it: an end of this
 * workflow stops no delivery. It completes when the installation no longer has the shard.
 */
export async function deliveryShard({ shard, holder }: DeliveryShardInput): Promise<void> {
  let next = holder;
  let shown: ShardHolder | undefined;
  let signalCount = 0;
  const heldBy = (held: unknown): void => {
    if (!isShardHolder(held)) return log.warn('signal.ignored', { signal: 'shardHeld', shard });
    signalCount++;
    if (held.fence >= (next?.fence ?? 0)) next = held;
  };
  setHandler(shardHeld, heldBy, { description: 'For the service: says which worker serves the shard.' });
  const isMoved = (): boolean => next !== undefined && next.fence > (shown?.fence ?? 0);
  for (let views = 0; views < VIEWS_PER_RUN && !workflowInfo().continueAsNewSuggested; views++) {
    if (!next) setCurrentDetails('No worker serves this shard.');
    await condition(() => next !== undefined);
    shown = next!;
    setCurrentDetails(`Served by ${shown.holder}. See the heartbeat details for its progress.`);
    const countBefore = signalCount;
    const report = await watchPump(shard, { shown, isMoved });
    // A signal may arrive together with the end of the activity.
    if (isMoved() || signalCount !== countBefore) continue;
    if (report?.isRetired) return setCurrentDetails('Retired: the installation has fewer shards now.');
    if (!report?.isServing) next = undefined;
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof deliveryShard>({ shard, ...(next && { holder: next }) });
}

interface View {
  readonly shown: ShardHolder;
  readonly isMoved: () => boolean;
}

/** Returns undefined if the lease has moved or the worker is lost. */
async function watchPump(shard: number, { shown, isMoved }: View): Promise<PumpReport | undefined> {
  const { pumpDeliveries } = proxyActivities<PumpActivities>({
    taskQueue: pumpQueueOf(shown.holder),
    // A pump is shown for an hour at most.
    startToCloseTimeout: '2h',
    // The worker is gone. Its successor signals.
    scheduleToStartTimeout: '1m',
    // Three heartbeats. Only the view depends on it: another worker takes over by the lease within seconds.
    heartbeatTimeout: '80s',
    // A worker that is not shown signals again.
    retry: { maximumAttempts: 1 },
    cancellationType: ActivityCancellationType.TRY_CANCEL,
  });
  const scope = new CancellationScope();
  const summary = `pump of shard ${shard}`;
  const viewed = scope.run(() => pumpDeliveries.executeWithOptions({ summary }, [{ shard }])).catch(unlessCancelled);
  const moved = condition(isMoved);
  const report = await Promise.race([viewed, moved.then(() => undefined)]);
  scope.cancel();
  return report;

  function unlessCancelled(error: unknown): undefined {
    if (isOwnCancellation(error)) throw error;
    return undefined;
  }
}

/** About a day, which keeps the history readable. */
const VIEWS_PER_RUN = 24;
