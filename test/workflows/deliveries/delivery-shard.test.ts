import test, { type ExecutionContext } from 'ava';
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import {
  createPumpActivities,
  createPumpViews,
  HEARTBEAT_MS,
  type PumpReport,
} from '../../../activities/pump/pump-activities.ts';
import { pumpQueueOf } from '../../../contract/task-queues.ts';
import type { deliveryShard, DeliveryShardInput } from '../../../workflows/deliveries/delivery-shard.ts';
import { shardHeld } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness, type TemporalHarness } from '../../harness/temporal/temporal.ts';

const report = { destinationCount: 2, settledCount: 10, promotedCount: 1, heldCount: 0, isRetired: false };
const workflowId = 'delivery-shard/5';
type Pump = (input: { shard: number }) => Promise<PumpReport>;

/** Stands for a pump that one worker serves and another worker takes over. */
function pumpOf() {
  const state = { begun: 0, cancelled: 0, fail: (): void => undefined, moved: (): void => undefined };
  const pump: Pump = async () => {
    state.begun++;
    const { promise, resolve, reject } = Promise.withResolvers<PumpReport>();
    const beat = setInterval(() => heartbeat(), 100);
    state.moved = () => resolve({ ...report, isServing: false });
    state.fail = () => reject(new Error('worker lost'));
    cancellationSignal().addEventListener('abort', () => {
      state.cancelled++;
      reject(new CancelledFailure('not shown any more'));
    });
    return await promise.finally(() => clearInterval(beat));
  };
  return Object.assign(state, { pump });
}

async function shardStage(t: ExecutionContext, pumps: Readonly<Record<string, Pump>>) {
  const queues = Object.fromEntries(
    Object.entries(pumps).map(([holder, pumpDeliveries]) => [pumpQueueOf(holder), { pumpDeliveries }]),
  );
  const harness = await temporalHarness(t, {}, { queues });
  const startShard = (input: Omit<DeliveryShardInput, 'shard'> = {}) =>
    harness.start<typeof deliveryShard>('deliveryShard', { args: [{ shard: 5, ...input }], workflowId });
  return { ...harness, startShard };
}

async function eventTypes({ client }: TemporalHarness, runId?: string) {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  return (events ?? []).map((event) => Object.keys(event).find((key) => key.endsWith('EventAttributes')));
}

const holder = (name: string, fence: number) => ({ holder: name, fence });

test('a pump is shown by its worker until the lease moves', async (t) => {
  const a = pumpOf();
  const b = pumpOf();
  const { startShard } = await shardStage(t, { a: a.pump, b: b.pump });
  const handle = await startShard({ holder: holder('a', 3) });
  await eventually(() => a.begun === 1);
  await handle.signal(shardHeld, holder('b', 4));
  await eventually(() => b.begun === 1 && a.cancelled === 1);
  await handle.signal(shardHeld, holder('a', 3));
  await handle.signal(shardHeld, holder('a', 5));
  await eventually(() => a.begun === 2 && b.cancelled === 1);
  await handle.terminate();
  t.is(a.begun, 2, 'an older fence is ignored');
});

test('a run without a holder starts no activity until one signals', async (t) => {
  const a = pumpOf();
  const stage = await shardStage(t, { a: a.pump });
  const handle = await stage.startShard();
  await eventually(async () => (await eventTypes(stage)).includes('workflowTaskCompletedEventAttributes'));
  t.is(a.begun, 0);
  await handle.signal(shardHeld, holder('a', 1));
  await eventually(() => a.begun === 1);
  a.moved();
  await eventually(async () => (await eventTypes(stage)).includes('activityTaskCompletedEventAttributes'));
  await handle.signal(shardHeld, holder('a', 7));
  await eventually(() => a.begun === 2);
  await handle.terminate();
});

test('a signal without a holder is ignored', async (t) => {
  const a = pumpOf();
  const stage = await shardStage(t, { a: a.pump });
  const handle = await stage.startShard();
  for (const args of [[], [null], [{ holder: 'a' }]])
    await stage.client.workflow.getHandle(workflowId).signal('shardHeld', ...args);
  await handle.signal(shardHeld, holder('a', 1));
  await eventually(() => a.begun === 1);
  t.false((await eventTypes(stage)).includes('workflowTaskFailedEventAttributes'));
  await handle.terminate();
});

test('a lost worker is shown again when it signals', async (t) => {
  const a = pumpOf();
  const stage = await shardStage(t, { a: a.pump });
  const handle = await stage.startShard({ holder: holder('a', 3) });
  await eventually(() => a.begun === 1);
  a.fail();
  await eventually(async () => (await eventTypes(stage)).includes('activityTaskFailedEventAttributes'));
  await handle.signal(shardHeld, holder('a', 3));
  await eventually(() => a.begun === 2);
  await handle.terminate();
  t.pass();
});

test('a run continues as new after 24 pumps with the holder', async (t) => {
  let begun = 0;
  const longest = pumpOf();
  const pump: Pump = (input) => (++begun <= 24 ? Promise.resolve({ ...report, isServing: true }) : longest.pump(input));
  const stage = await shardStage(t, { a: pump });
  const handle = await stage.startShard({ holder: holder('a', 3) });
  await eventually(() => longest.begun === 1);
  t.is((await eventTypes(stage, handle.firstExecutionRunId)).at(-1), 'workflowExecutionContinuedAsNewEventAttributes');
  t.true((await eventTypes(stage)).length < 12);
  await stage.client.workflow.getHandle(workflowId).terminate();
});

test('a run completes when its shard is retired', async (t) => {
  const a = pumpOf();
  const stopping = new AbortController().signal;
  const fleet = { pumpOf: () => undefined };
  let retired = false;
  const isRetired = (shard: number): Promise<boolean> => Promise.resolve(retired && shard === 5);
  const { pumpDeliveries } = createPumpActivities({ fleet, views: createPumpViews(), isRetired, stopping });
  const stage = await shardStage(t, { a: a.pump, b: pumpDeliveries });
  const handle = await stage.startShard({ holder: holder('b', 1) });
  const endedCount = async () =>
    (await eventTypes(stage)).filter((type) => type === 'activityTaskCompletedEventAttributes').length;
  await eventually(async () => (await endedCount()) === 1);
  await handle.signal(shardHeld, holder('a', 2));
  await eventually(() => a.begun === 1);
  retired = true;
  a.moved();
  await eventually(async () => (await endedCount()) === 2);
  t.is((await handle.describe()).status.name, 'RUNNING');
  await handle.signal(shardHeld, holder('b', 2));
  await handle.result();
  t.is((await handle.describe()).status.name, 'COMPLETED');
});

test('a cancelled run ends', async (t) => {
  const a = pumpOf();
  const { startShard } = await shardStage(t, { a: a.pump });
  const handle = await startShard({ holder: holder('a', 3) });
  await eventually(() => a.begun === 1);
  await handle.cancel();
  await t.throwsAsync(handle.result());
  t.is((await handle.describe()).status.name, 'CANCELLED');
});

test('an idle shard makes at most 0.1 state transitions a second', async (t) => {
  let beats = 0;
  const done = Promise.withResolvers<void>();
  const beating: Pump = async () => {
    const timer = setInterval(() => void (beats++, heartbeat(beats)), 20);
    await done.promise.finally(() => clearInterval(timer));
    return { ...report, isServing: false };
  };
  const { startShard } = await shardStage(t, { a: beating });
  const handle = await startShard({ holder: holder('a', 3) });
  const transitions = async () => Number((await handle.describe()).raw.workflowExecutionInfo?.stateTransitionCount);
  const heartbeatsSeen = async () =>
    (await handle.describe()).raw.pendingActivities?.[0]?.heartbeatDetails?.payloads?.length ?? 0;
  await eventually(async () => (await heartbeatsSeen()) > 0);
  const before = await transitions();
  const beatsBefore = beats;
  await eventually(async () => beats > beatsBefore + 20 && (await transitions()) > before);
  // The SDK sends only some of these heartbeats.
  const perHeartbeat = ((await transitions()) - before) / (beats - beatsBefore);
  done.resolve();
  await handle.terminate();
  t.true(perHeartbeat <= 1, `${perHeartbeat} transitions for a heartbeat`);
  // An activity of an hour adds its own start and end: fewer than twenty.
  t.true(1_000 / HEARTBEAT_MS + 20 / 3_600 <= 0.1);
});
