import test from 'ava';
import { heartbeat } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { createRetentionActivities } from '../../../activities/upkeep/retention-activities.ts';
import type { RemovedRows } from '../../../db/ledger/upkeep/delete-old-events.ts';
import type { RemoveOld } from '../../../activities/upkeep/retention-activities.ts';
import { retentionTasks } from '../../../contract/upkeep/retention.ts';
import type { retention } from '../../../workflows/upkeep/retention.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { anItem } from '../../harness/deliveries/hot-ledger.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { replayStage } from '../../harness/replays/replays.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const OLD = new Date(Date.now() - 31 * 86_400_000);
const settings = { retentionDays: 30, eventKeyDays: 9, auditDays: 400, usageMonths: 25 };

test('every task runs until it is done', async (t) => {
  const calls: RemoveOld[] = [];
  const { execute } = await temporalHarness(t, {
    removeOld: async (call: RemoveOld): Promise<RemovedRows> => {
      calls.push(call);
      const isDone = call.task !== 'events' || call.position === 500;
      return { position: isDone ? 900 : 500, removedCount: 2, isDone };
    },
  });
  const removed = await execute<typeof retention>('retention', { args: [{}] });
  t.deepEqual(calls.slice(0, 3), [
    { task: 'events', position: 0 },
    { task: 'events', position: 500 },
    { task: 'event_keys', position: 0 },
  ]);
  t.deepEqual([...new Set(calls.map(({ task }) => task))], [...retentionTasks]);
  t.like(removed, { events: 4, event_keys: 2 });
});

test('a failing task does not stop the later ones', async (t) => {
  const tasks = new Set<string>();
  const { execute } = await temporalHarness(t, {
    removeOld: async ({ task }: RemoveOld): Promise<RemovedRows> => {
      tasks.add(task);
      if (task === 'events') throw ApplicationFailure.nonRetryable('broken');
      return { position: 0, removedCount: 1, isDone: true };
    },
  });
  const error = await t.throwsAsync(execute<typeof retention>('retention', { args: [{}] }), {
    instanceOf: WorkflowFailedError,
  });
  t.like(error?.cause, { type: 'RetentionIncomplete' });
  t.regex(error?.cause?.message ?? '', /^Old events could not be removed/);
  t.deepEqual([...tasks], [...retentionTasks]);
});

test('a continued run resumes its task', async (t) => {
  const calls: RemoveOld[] = [];
  const { execute } = await temporalHarness(t, {
    removeOld: async (call: RemoveOld): Promise<RemovedRows> => {
      calls.push(call);
      return { position: 0, removedCount: 1, isDone: true };
    },
  });
  const removed = await execute<typeof retention>('retention', {
    args: [{ task: 'sessions', position: 70, removed: { events: 9, sessions: 4 } }],
  });
  t.deepEqual(calls[0], { task: 'sessions', position: 70 });
  t.like(removed, { events: 9, sessions: 5, invariant_runs: 1 });
});

test('a task is resumed from the heartbeat of a lost worker', async (t) => {
  const stage = await replayStage(t);
  await insertOld(stage, 3_000);
  const real = createRetentionActivities({ ...stage, retention: settings, stopping: new AbortController().signal, log: rememberingLog() }); // prettier-ignore
  let isFirst = true;
  const { execute } = await temporalHarness(t, {
    removeOld: async (call: RemoveOld) => {
      if (call.task !== 'events' || !isFirst) return await real.removeOld(call);
      isFirst = false;
      heartbeat({ position: 0, removedCount: 7, isDone: false });
      throw new Error('worker lost');
    },
  });
  const removed = await execute<typeof retention>('retention', { args: [{}] });
  t.is(removed.events, 3_007);
  t.deepEqual(await stage.db('events'), []);
});

test('only old events are removed while new ones are accepted', async (t) => {
  const stage = await replayStage(t);
  const { db, pool } = stage;
  await insertOld(stage, 5_000);
  const activities = createRetentionActivities({ ...stage, retention: settings, stopping: new AbortController().signal, log: rememberingLog() }); // prettier-ignore
  const { execute } = await temporalHarness(t, { ...activities });
  let isRunning = true;
  const waits: number[] = [];
  let accepted = 0;
  const traffic = (async () => {
    while (isRunning) {
      const beganMs = performance.now();
      accepted += (await acceptItems(pool, [anItem(), anItem()])).eventCount;
      waits.push(performance.now() - beganMs);
    }
  })();
  const removed = await execute<typeof retention>('retention', { args: [{}] });
  isRunning = false;
  await traffic;
  t.is(removed.events, 5_000);
  t.is((await db('events')).length, accepted);
  t.is((await db('deliveries')).length, accepted);
  t.deepEqual(await db('attempts'), []);
  t.true(accepted > 0);
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!.toFixed(1);
  t.log(`accept in ms, p50 ${at(0.5)}, p99 ${at(0.99)}, of ${sorted.length}`);
});

test('deduplication keys are scanned once a day', async (t) => {
  const stage = await replayStage(t);
  const activities = createRetentionActivities({ ...stage, retention: settings, stopping: new AbortController().signal, log: rememberingLog() }); // prettier-ignore
  const { execute } = await temporalHarness(t, { ...activities });
  const addKey = () => stage.db.raw('insert into event_keys (channel_id, key, created_at) values (1, gen_random_uuid(), ?)', [OLD]); // prettier-ignore
  await addKey();
  t.is((await execute<typeof retention>('retention', { args: [{}] })).event_keys, 1);
  await addKey();
  t.is((await execute<typeof retention>('retention', { args: [{}] })).event_keys, 0);
  await stage.db('retention_sweeps').where({ task: 'event_keys' }).update({ ended_at: OLD });
  t.is((await execute<typeof retention>('retention', { args: [{}] })).event_keys, 1);
});

async function insertOld({ db, channel, destinationId }: Awaited<ReturnType<typeof replayStage>>, count: number) {
  await db.raw(
    `with event as (
       insert into events (channel_id, workspace_id, event_type, conversation_key, body, created_at)
       select id, workspace_id, 'chatapp.message.received', 1, '\\x', cast(? as timestamptz)
       from channels, generate_series(1, cast(? as int)) where channels.id = ? returning *),
     delivery as (
       insert into deliveries (event_id, channel_id, workspace_id, destination_id, shard, conversation_key, event_type, status, created_at)
       select id, channel_id, workspace_id, ?, 0, 1, event_type, 'delivered', created_at from event returning id)
     insert into attempts (delivery_id, number, started_at, duration_ms, outcome)
     select id, 1, now(), 1, 'accepted' from delivery`,
    [OLD, count, channel.id, destinationId],
  );
}
