import test, { type ExecutionContext } from 'ava';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { ReplayDeliveriesInput, ReplayMove, ReplayState, ReplayStatus } from '../../../contract/replays/replay.ts';
import {
  cancelReplay,
  pauseReplay,
  replayMoved,
  replayProgress,
  resumeReplay,
} from '../../../workflows/messages/messages.ts';
import type { replayDeliveries } from '../../../workflows/replays/replay-deliveries.ts';
import { eventually } from '../../harness/eventually.ts';
import { replayStage } from '../../harness/replays/replays.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const replayId = 'rpl_00000001';
const input = (others: Partial<ReplayDeliveriesInput> = {}): [ReplayDeliveriesInput] => [
  { replayId, heldMs: 600_000, ...others },
];

interface RowOptions {
  readonly total?: number;
  readonly status?: ReplayStatus;
  readonly isHeld?: boolean;
  /** Optional. A pause ends only then. */
  readonly beforePause?: Promise<void>;
  /** Optional. The last read of an ended replay, and its repeats, end only then. */
  readonly beforeEnd?: Promise<void>;
}

/** Each call of `sendReplay` sends one of `total` events. */
async function rowHarness(
  t: ExecutionContext,
  { total = 3, status = 'planning', isHeld = false, beforePause, beforeEnd }: RowOptions = {},
) {
  const row: { status: ReplayStatus; sent: number; isHeld: boolean } = { status, sent: 0, isHeld };
  const calls: string[] = [];
  const { promise: atLastRead, resolve: reachLastRead } = Promise.withResolvers<void>();
  let endedReads = 0;
  const standing = (): ReplayState => ({ planned: total, ...row, isHeld: row.isHeld && row.status === 'running' });
  const harness = await temporalHarness(t, {
    readReplay: async () => {
      if (row.status === 'cancelled' && ++endedReads >= 2) {
        reachLastRead();
        await beforeEnd;
      }
      return standing();
    },
    planReplay: async () => {
      calls.push('plan');
      if (row.status === 'planning') row.status = 'running';
      return standing();
    },
    sendReplay: async () => {
      calls.push(`send from ${row.sent}`);
      if (row.status === 'running' && !row.isHeld && ++row.sent === total) row.status = 'completed';
      return standing();
    },
    moveReplay: async ({ move }: { move: ReplayMove }) => {
      calls.push(move);
      if (move === 'pause') await beforePause;
      if (row.status !== 'completed' && row.status !== 'cancelled') {
        row.status = ({ pause: 'paused', resume: 'running', cancel: 'cancelled' } as const)[move];
      }
      return standing();
    },
  });
  const start = (others: Partial<ReplayDeliveriesInput> = {}) =>
    harness.start<typeof replayDeliveries>('replayDeliveries', { args: input(others) });
  return { ...harness, start, row, calls, atLastRead };
}

test('a replay is planned and then sent completely', async (t) => {
  const { start, calls } = await rowHarness(t);
  t.deepEqual(await (await start()).result(), { status: 'completed', planned: 3, sent: 3 });
  t.deepEqual(calls, ['plan', 'send from 0', 'send from 1', 'send from 2']);
});

test('a paused replay waits without a timer until it is resumed', async (t) => {
  const { start, calls } = await rowHarness(t, { status: 'paused' });
  const handle = await start();
  await eventually(async () => (await handle.query(replayProgress)).status === 'paused');
  const { events } = await handle.fetchHistory();
  t.false((events ?? []).some((event) => event.timerStartedEventAttributes));
  t.like(await handle.executeUpdate(resumeReplay), { status: 'running' });
  t.like(await handle.result(), { status: 'completed' });
  t.is(calls[0], 'resume');
});

test('updates pause and cancel a replay and return its state', async (t) => {
  const { start, row } = await rowHarness(t, { isHeld: true });
  const handle = await start();
  await eventually(() => row.status === 'running');
  t.deepEqual(await handle.executeUpdate(pauseReplay), { status: 'paused', planned: 3, sent: 0, isHeld: false });
  t.like(await handle.executeUpdate(cancelReplay), { status: 'cancelled' });
  t.like(await handle.result(), { status: 'cancelled' });
});

test('a replay that ended during an update answers with its end', async (t) => {
  const { start, row } = await rowHarness(t, { status: 'paused' });
  const handle = await start();
  await eventually(async () => (await handle.query(replayProgress)).status === 'paused');
  row.status = 'cancelled';
  t.like(await handle.executeUpdate(resumeReplay), { status: 'cancelled' });
  t.like(await handle.result(), { status: 'cancelled' });
});

test('an ended replay refuses to be resumed', async (t) => {
  const { promise: beforeEnd, resolve: end } = Promise.withResolvers<void>();
  const { start, row, atLastRead } = await rowHarness(t, { status: 'paused', beforeEnd });
  const handle = await start();
  await eventually(async () => (await handle.query(replayProgress)).status === 'paused');
  row.status = 'cancelled';
  await handle.signal(replayMoved);
  await atLastRead;
  const error = await t.throwsAsync(handle.executeUpdate(resumeReplay), { instanceOf: WorkflowUpdateFailedError });
  t.like(error.cause, { message: 'The replay has ended: cancelled', type: 'ReplayEnded' });
  end();
  t.like(await handle.result(), { status: 'cancelled' });
});

test('a waiting replay reads its row when signalled', async (t) => {
  const { start, row } = await rowHarness(t, { isHeld: true });
  const handle = await start();
  await eventually(async () => (await handle.query(replayProgress)).isHeld);
  row.isHeld = false;
  await handle.signal(replayMoved);
  t.like(await handle.result(), { status: 'completed', sent: 3 });
});

test('a replay held by live traffic continues after a delay', async (t) => {
  const { start, row } = await rowHarness(t, { isHeld: true });
  const handle = await start({ heldMs: 50 });
  await eventually(async () => (await handle.query(replayProgress)).isHeld);
  row.isHeld = false;
  t.like(await handle.result(), { status: 'completed' });
});

test('cancelling the workflow cancels the replay', async (t) => {
  const { start, row, calls } = await rowHarness(t, { status: 'paused' });
  const handle = await start();
  await eventually(async () => (await handle.query(replayProgress)).status === 'paused');
  await handle.cancel();
  t.like(await handle.result(), { status: 'cancelled' });
  t.is(row.status, 'cancelled');
  t.deepEqual(calls, ['cancel']);
});

test('cancelling the workflow during a pause cancels the replay', async (t) => {
  const { promise: beforePause, resolve: pause } = Promise.withResolvers<void>();
  const { start, row, calls } = await rowHarness(t, { isHeld: true, beforePause });
  const handle = await start();
  await eventually(async () => (await handle.query(replayProgress)).isHeld);
  const paused = await handle.startUpdate(pauseReplay, { waitForStage: 'ACCEPTED' });
  await eventually(() => calls.includes('pause'));
  await handle.cancel();
  await eventually(() => calls.includes('cancel'));
  pause();
  t.like(await paused.result(), { status: 'cancelled' });
  t.like(await handle.result(), { status: 'cancelled' });
  t.is(row.status, 'cancelled');
});

test('the run of an ended replay ends at once', async (t) => {
  const { start, calls } = await rowHarness(t, { status: 'cancelled' });
  t.like(await (await start()).result(), { status: 'cancelled' });
  t.deepEqual(calls, []);
});

test('the real activities send each planned event once', async (t) => {
  const stage = await replayStage(t);
  const sources = await stage.sources(20);
  const id = await stage.replay();
  const { execute } = await temporalHarness(t, { ...stage.activities });
  const result = await execute<typeof replayDeliveries>('replayDeliveries', { args: input({ replayId: id }) });
  t.deepEqual(result, { status: 'completed', planned: 20, sent: 20 });
  t.is((await stage.sentDeliveries()).length, 20);
  t.deepEqual(
    (await stage.items()).map((item) => item.source_delivery_id),
    sources,
  );
  t.truthy((await stage.row(id)).run_ended_at);
});
