import test, { type ExecutionContext } from 'ava';
import type { CarryScheduledInput, ScheduledStanding, ScheduledStatus } from '../../../contract/scheduled/scheduled.ts';
import { scheduledMoved } from '../../../workflows/messages/messages.ts';
import type { carryScheduled } from '../../../workflows/scheduled/carry-scheduled.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const HOUR_MS = 3_600_000;
const ended = (status: ScheduledStatus): ScheduledStanding => ({ status, waitMs: null });
const scheduledIn = (waitMs: number): ScheduledStanding => ({ status: 'scheduled', waitMs });

async function stage(t: ExecutionContext, standings: readonly ScheduledStanding[]) {
  const calls: string[] = [];
  const rest = standings[Symbol.iterator]();
  const activity = (name: string) => () => {
    calls.push(name);
    return Promise.resolve(rest.next().value!);
  };
  const harness = await temporalHarness(t, {
    sendDueMessage: activity('send'),
    startDuePost: activity('start'),
    readScheduled: activity('read'),
  });
  const start = (input: CarryScheduledInput) =>
    harness.start<typeof carryScheduled>('carryScheduled', { args: [input] });
  return { calls, start };
}

for (const [scheduledId, act] of [
  ['sm_00000001', 'send'],
  ['sp_00000001', 'start'],
] as const) {
  test(`a workflow waits for its time and its retries: ${act}`, async (t) => {
    const { calls, start } = await stage(t, [scheduledIn(200), scheduledIn(1), ended('failed')]);
    const run = await start({ scheduledId, dueAtMs: Date.now() + 200 });
    t.is(await run.result(), 'failed');
    t.deepEqual(calls, [act, act, act]);
  });
}

test('a workflow without a time reads its row first', async (t) => {
  const { calls, start } = await stage(t, [scheduledIn(100), ended('sent')]);
  t.is(await (await start({ scheduledId: 'sm_00000001' })).result(), 'sent');
  t.deepEqual(calls, ['read', 'send']);
});

test('a change moves the timer, and a cancellation ends the workflow', async (t) => {
  const { calls, start } = await stage(t, [scheduledIn(1), scheduledIn(HOUR_MS), ended('cancelled')]);
  const run = await start({ scheduledId: 'sm_00000001', dueAtMs: Date.now() + HOUR_MS });
  await run.signal(scheduledMoved, { dueAtMs: Date.now() });
  await eventually(() => Promise.resolve(calls.length === 2));
  await run.signal(scheduledMoved, { dueAtMs: null });
  t.is(await run.result(), 'cancelled');
  t.deepEqual(calls, ['read', 'send', 'read']);
});

test('a signal that tells what is known, or nothing, is harmless', async (t) => {
  const { calls, start } = await stage(t, [scheduledIn(1), ended('sent')]);
  const dueAtMs = Date.now() + HOUR_MS;
  const run = await start({ scheduledId: 'sm_00000001', dueAtMs });
  await run.signal(scheduledMoved, { dueAtMs });
  await run.signal(scheduledMoved.name, null);
  t.is(await run.result(), 'sent');
  t.deepEqual(calls, ['read', 'send']);
});

test('a change back to the first time is read, too', async (t) => {
  const { calls, start } = await stage(t, [scheduledIn(HOUR_MS), scheduledIn(1), ended('sent')]);
  const dueAtMs = Date.now() + 5_000;
  const run = await start({ scheduledId: 'sm_00000001', dueAtMs });
  await run.signal(scheduledMoved, { dueAtMs: dueAtMs + HOUR_MS });
  await eventually(() => Promise.resolve(calls.length === 1));
  await run.signal(scheduledMoved, { dueAtMs });
  await eventually(() => Promise.resolve(calls.length > 1));
  t.is(calls[1], 'read');
});
