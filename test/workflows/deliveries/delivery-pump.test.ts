import test, { type ExecutionContext } from 'ava';
import { Context } from '@temporalio/activity';
import type { PumpReport } from '../../../contract/deliveries/pump-report.ts';
import { pumpQueueOf } from '../../../contract/task-queues.ts';
import type { deliveryPump } from '../../../workflows/deliveries/delivery-pump.ts';
import { pumpState } from '../../../workflows/messages/messages.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';

const report: PumpReport = {
  isServing: true,
  shards: '0–63, 128',
  destinationCount: 20,
  settledPerSecond: 12.3,
  promotedCount: 4,
  heldCount: 5,
  oldestWaitSeconds: 6,
  troubledCount: 12,
  troubled: [
    { channelId: 'ch_00000001', destination: 'webhook' },
    { channelId: 'ch_00000002', destination: 'sub_00000001' },
  ],
};
const workflowId = 'delivery-pump/a';

/** A view that never ends by itself: it ends with the worker. */
const longView = (): Promise<never> => Context.current().cancelled;

type View = (count: number) => PumpReport | Promise<PumpReport>;

/** Runs the workflow on views that are given by their number, beginning with 1. */
async function pumpStage(t: ExecutionContext, view: View, lastReport?: PumpReport) {
  const asked: number[] = [];
  const watchPump = async ({ viewMs }: { viewMs: number }) => await view(asked.push(viewMs));
  const harness = await temporalHarness(t, {}, { queues: { [pumpQueueOf('a')]: { watchPump } } });
  const args: Parameters<typeof deliveryPump> = [{ holder: 'a', ...(lastReport && { report: lastReport }) }];
  const handle = await harness.start<typeof deliveryPump>('deliveryPump', { args, workflowId });
  t.teardown(() => handle.terminate().catch(() => undefined));
  const details = async () =>
    (await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails;
  const status = async (): Promise<string> => (await handle.describe()).status.name;
  return { handle, asked, details, status };
}

test('a pump shows its last report', async (t) => {
  const { promise: isAsked, resolve: goOn } = Promise.withResolvers<void>();
  const views: View = (count) => (count === 1 ? isAsked.then(() => report) : longView());
  const { handle, asked, details } = await pumpStage(t, views);
  await eventually(() => asked.length === 1);
  t.is(await handle.query(pumpState), null);
  t.is(await details(), 'Worker `a`: no report yet.');
  goOn();
  await eventually(() => asked.length === 2);
  t.deepEqual(await handle.query(pumpState), report);
  t.is(
    await details(),
    [
      'Worker `a`',
      '',
      '- Shards: 0–63, 128',
      '- Destinations: 20',
      '- Deliveries: 12.3 a second, 5 in memory',
      '- Oldest pending delivery with a closed circuit: 6 s',
      '- Deliveries retried by workflows since the start: 4',
      '- Open circuits: 12 (`ch_00000001` webhook, `ch_00000002` sub_00000001, 10 more)',
    ].join('\n'),
  );
  t.deepEqual(asked, [5_000, 60_000], 'the first report comes soon');
});

test('a pump that has stopped ends its workflow', async (t) => {
  const idle = { ...report, shards: '', troubledCount: 0, troubled: [] };
  const { handle, details, status } = await pumpStage(t, (count) => ({ ...idle, isServing: count < 3 }));
  await handle.result();
  t.is(await status(), 'COMPLETED');
  t.is(await details(), 'The pump of worker `a` has stopped.');
  t.deepEqual(await handle.query(pumpState), { ...idle, isServing: false });
});

test('two lost views in a row end the workflow', async (t) => {
  const lost = new Set([2, 4, 5]);
  const view: View = (count) => (lost.has(count) ? Promise.reject(new Error('lost')) : report);
  const { handle, asked, details, status } = await pumpStage(t, view);
  await handle.result();
  t.is(await status(), 'COMPLETED');
  t.is(asked.length, 5);
  t.is(await details(), 'The worker `a` is gone.');
  t.deepEqual(await handle.query(pumpState), report);
});

test('the next run begins with the last report', async (t) => {
  const { handle, asked, details } = await pumpStage(t, longView, report);
  await eventually(() => asked.length === 1);
  t.deepEqual(await handle.query(pumpState), report);
  t.true((await details())?.includes('0–63, 128'));
  t.deepEqual(asked, [60_000]);
});

test('a cancelled run ends at once', async (t) => {
  const { handle, asked, status } = await pumpStage(t, longView);
  await eventually(() => asked.length === 1);
  await handle.cancel();
  await t.throwsAsync(handle.result());
  t.is(await status(), 'CANCELLED');
});
