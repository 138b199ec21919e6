import test, { type ExecutionContext } from 'ava';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { PumpProgress } from '../../../activities/pump/shard-pump.ts';
import type { deliveryShard } from '../../../workflows/deliveries/delivery-shard.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness, type TemporalHarness } from '../../harness/temporal/temporal.ts';

const progress: PumpProgress = { destinationCount: 2, settledCount: 10, promotedCount: 1, heldCount: 0 };
const args: Parameters<typeof deliveryShard> = [{ shard: 5 }];

async function servesUntilCancelled(): Promise<PumpProgress> {
  const beat = setInterval(() => heartbeat(), 100);
  const signal = cancellationSignal();
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  clearInterval(beat);
  throw new CancelledFailure('drained');
}

async function eventTypes({ client }: TemporalHarness, workflowId: string, runId?: string) {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return (events ?? []).map((event) => Object.keys(event).find((key) => key.endsWith('EventAttributes')));
}

async function shardHarness(t: ExecutionContext, pump: (input: { shard: number }) => Promise<PumpProgress>) {
  const harness = await temporalHarness(t, {}, { pumps: { pumpDeliveries: pump } });
  const start = () => harness.start<typeof deliveryShard>('deliveryShard', { args, workflowId: 'delivery-shard/5' });
  return { ...harness, startShard: start };
}

test('a run starts 24 pumps and then continues as new', async (t) => {
  const shards: number[] = [];
  const harness = await shardHarness(t, async ({ shard }) =>
    shards.push(shard) <= 24 ? progress : servesUntilCancelled(),
  );
  const handle = await harness.startShard();
  await eventually(() => shards.length === 25);

  t.true(shards.every((shard) => shard === 5));
  const first = await eventTypes(harness, handle.workflowId, handle.firstExecutionRunId);
  t.is(first.filter((type) => type === 'activityTaskScheduledEventAttributes').length, 24);
  t.is(first.at(-1), 'workflowExecutionContinuedAsNewEventAttributes');
  const second = await eventTypes(harness, handle.workflowId);
  t.is(second.filter((type) => type === 'activityTaskScheduledEventAttributes').length, 1);
  const { events } = await harness.client.workflow.getHandle(handle.workflowId).fetchHistory();
  t.true(events!.length < 10, 'history grows only per pump');
  await harness.client.workflow.getHandle(handle.workflowId).terminate();
});

test('a failed pump is restarted at once', async (t) => {
  let pumps = 0;
  const harness = await shardHarness(t, () => {
    pumps++;
    return pumps < 4 ? Promise.reject(new Error('database unreachable')) : servesUntilCancelled();
  });
  const handle = await harness.startShard();
  await eventually(() => pumps === 4);
  await handle.terminate();
  t.pass();
});

test('a cancelled shard waits until its pump has drained', async (t) => {
  let drained = false;
  const harness = await shardHarness(t, () => servesUntilCancelled().finally(() => (drained = true)));
  const handle = await harness.startShard();
  await eventually(async () =>
    (await eventTypes(harness, handle.workflowId)).includes('activityTaskScheduledEventAttributes'),
  );
  await handle.cancel();
  await t.throwsAsync(handle.result());
  t.true(drained);
  t.is((await handle.describe()).status.name, 'CANCELLED');
});

test('starting a running shard starts no second pump', async (t) => {
  let pumps = 0;
  const harness = await shardHarness(t, () => {
    pumps++;
    return servesUntilCancelled();
  });
  const handle = await harness.startShard();
  await eventually(() => pumps === 1);
  await t.throwsAsync(harness.startShard(), { name: 'WorkflowExecutionAlreadyStartedError' });
  t.is(pumps, 1);
  await handle.terminate();
});
