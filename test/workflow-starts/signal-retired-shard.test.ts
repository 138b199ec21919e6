import test from 'ava';
import type { deliveryShard } from '../../workflows/deliveries/delivery-shard.ts';
import { deliveryShardWorkflowId } from '../../contract/ids.ts';
import { pumpQueueOf } from '../../contract/task-queues.ts';
import { createWorkerStarts } from '../../workflow-starts/worker-starts.ts';
import { temporalHarness } from '../harness/temporal/temporal.ts';

test('a signal to a retired shard ends its workflow and starts none', async (t) => {
  const counts = { destinationCount: 0, settledCount: 0, promotedCount: 0, heldCount: 0 };
  const pumpDeliveries = async () => ({ ...counts, isServing: false, isRetired: true });
  const { client, start } = await temporalHarness(t, {}, { queues: { [pumpQueueOf('a')]: { pumpDeliveries } } });
  const starts = createWorkerStarts({ client, retryScheduleMs: [], pollScheduleMs: [], probeDelaysMs: [] });
  const retired = { shard: 5, holder: { holder: 'a', fence: 3 } };
  t.false(await starts.signalRetiredShard(retired));
  const handle = await start<typeof deliveryShard>('deliveryShard', {
    workflowId: deliveryShardWorkflowId(5),
    args: [{ shard: 5 }],
  });
  t.true(await starts.signalRetiredShard(retired));
  await handle.result();
  t.false(await starts.signalRetiredShard(retired));
});
