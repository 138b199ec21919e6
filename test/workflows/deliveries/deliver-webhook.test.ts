import type { Client } from '@temporalio/client';
import test, { type ExecutionContext } from 'ava';
import type {
  AttemptDelivery,
  DeliveryAnswer,
  DeliveryCheck,
} from '../../../activities/deliveries/delivery-activities.ts';
import type { DeliverWebhookInput } from '../../../contract/deliveries/workflow.ts';
import { searchAttributes } from '../../../contract/search-attributes.ts';
import type { deliverWebhook } from '../../../workflows/deliveries/deliver-webhook.ts';
import { circuitClosed, deliveryProgress, retryNow } from '../../../workflows/messages/messages.ts';
import { stateAttribute } from '../../../workflows/runs/this-run.ts';
import { eventually } from '../../harness/eventually.ts';
import { temporalHarness } from '../../harness/temporal/temporal.ts';
import { pluck } from '../../harness/pluck.ts';

const DAY_MS = 86_400_000;

const input = (others: Partial<DeliverWebhookInput> = {}): { args: [DeliverWebhookInput] } => ({
  args: [
    {
      deliveryId: 'wd_00000001',
      attemptsMade: 1,
      failedInSchedule: 1,
      nextAttemptAtMs: Date.now(),
      scheduleMs: [1, 1, 1],
      ...others,
    },
  ],
});

/** The last answer repeats. */
async function deliveryHarness(
  t: ExecutionContext,
  answers: readonly ((attempt: AttemptDelivery) => DeliveryAnswer | Promise<DeliveryAnswer>)[],
  checks: readonly (() => DeliveryCheck)[] = [() => ({ status: 'due' })],
) {
  let checkCount = 0;
  const attempts: AttemptDelivery[] = [];
  const ended: unknown[] = [];
  const harness = await temporalHarness(t, {
    attemptDelivery: async (attempt: AttemptDelivery) => {
      attempts.push(attempt);
      return (answers[attempts.length - 1] ?? answers.at(-1)!)(attempt);
    },
    checkDelivery: async () => (checks[checkCount++] ?? checks.at(-1)!)(),
    endDelivery: async (end: unknown) => void ended.push(end),
  });
  return { ...harness, attempts, ended };
}

const refused = ({ retryDelayMs }: AttemptDelivery): DeliveryAnswer =>
  retryDelayMs === null
    ? { status: 'exhausted', description: 'rejected (500)' }
    : { status: 'retrying', description: 'rejected (500)', nextAttemptAtMs: Date.now() + retryDelayMs };
const refusedForLong = (): DeliveryAnswer => ({
  status: 'retrying',
  description: 'rejected (503)',
  nextAttemptAtMs: Date.now() + DAY_MS,
});
const delivered = (): DeliveryAnswer => ({ status: 'delivered', description: 'accepted (200)' });

test('an accepted attempt ends the delivery', async (t) => {
  const { execute, attempts } = await deliveryHarness(t, [delivered]);
  t.deepEqual(await execute<typeof deliverWebhook>('deliverWebhook', input()), { status: 'delivered', attempts: 2 });
  t.like(attempts[0], { deliveryId: 'wd_00000001', attempt: 2 });
});

test('a delivery is exhausted after its last scheduled retry', async (t) => {
  const { execute, attempts } = await deliveryHarness(t, [refused]);
  t.deepEqual(await execute<typeof deliverWebhook>('deliverWebhook', input()), { status: 'exhausted', attempts: 4 });
  t.deepEqual(
    attempts.map(({ attempt, retryDelayMs }) => [attempt, retryDelayMs]),
    [
      [2, 1],
      [3, 1],
      [4, null],
    ],
  );
});

test('an attempt is not made before it is due', async (t) => {
  const startedAtMs = Date.now();
  const { execute } = await deliveryHarness(t, [
    () => ({ status: 'retrying', description: 'rejected (503)', nextAttemptAtMs: startedAtMs + 1_000 }),
    delivered,
  ]);
  await execute<typeof deliverWebhook>('deliverWebhook', input({ scheduleMs: [1, 1, 1] }));
  t.true(Date.now() >= startedAtMs + 1_000);
});

test('a requested retry is made now', async (t) => {
  const { start, attempts } = await deliveryHarness(t, [delivered]);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', input({ nextAttemptAtMs: Date.now() + DAY_MS }));
  await handle.signal(retryNow);
  t.deepEqual(await handle.result(), { status: 'delivered', attempts: 2 });
  t.is(attempts.length, 1);
});

test('a retry requested during an attempt ends the next wait', async (t) => {
  let signalled: () => void;
  const afterSignal = new Promise<void>((resolve) => (signalled = resolve));
  const { start, attempts } = await deliveryHarness(t, [() => afterSignal.then(refusedForLong), delivered]);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', input());
  await eventually(() => attempts.length === 1);
  await handle.signal(retryNow);
  signalled!();
  t.deepEqual(await handle.result(), { status: 'delivered', attempts: 3 });
});

test('two requests during one wait cause one attempt', async (t) => {
  const { start, attempts } = await deliveryHarness(t, [refusedForLong]);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', input({ nextAttemptAtMs: Date.now() + DAY_MS }));
  await eventually(async () => (await handle.query(deliveryProgress)).attemptsMade === 1);
  await Promise.all([handle.signal(retryNow), handle.signal(retryNow)]);
  await eventually(() => attempts.length >= 1);
  await handle.cancel();
  await handle.result();
  t.true(attempts.length <= 2);
});

test('cancelling the workflow cancels the delivery', async (t) => {
  const { start, ended, attempts } = await deliveryHarness(t, [delivered]);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', input({ nextAttemptAtMs: Date.now() + DAY_MS }));
  await handle.cancel();
  t.deepEqual(await handle.result(), { status: 'cancelled', attempts: 1 });
  t.deepEqual(ended, [{ deliveryId: 'wd_00000001', status: 'cancelled' }]);
  t.is(attempts.length, 0);
});

test('cancelling the workflow during an attempt cancels the delivery too', async (t) => {
  let release: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { start, ended, attempts } = await deliveryHarness(t, [() => held.then(delivered)]);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', input());
  await eventually(() => attempts.length === 1);
  await handle.cancel();
  t.like(await handle.result(), { status: 'cancelled' });
  release!();
  t.is(ended.length, 1);
});

test('a delivery ended elsewhere ends its workflow', async (t) => {
  const { execute } = await deliveryHarness(t, [() => ({ status: 'ended' })]);
  t.deepEqual(await execute<typeof deliverWebhook>('deliverWebhook', input()), { status: 'ended', attempts: 1 });
});

test('an unreachable database does not use up the schedule', async (t) => {
  const lost = () => Promise.reject(new Error('database unreachable'));
  const { execute, attempts } = await deliveryHarness(t, [lost, delivered]);
  t.deepEqual(await execute<typeof deliverWebhook>('deliverWebhook', input()), { status: 'delivered', attempts: 2 });
  t.deepEqual(pluck(attempts, 'attempt'), [2, 2]);
});

test('a repeated attempt activity uses the same retry delay', async (t) => {
  const lost = () => Promise.reject(new Error('worker lost'));
  const { execute, attempts } = await deliveryHarness(t, [lost, delivered]);
  await execute<typeof deliverWebhook>('deliverWebhook', input({ scheduleMs: [1, DAY_MS] }));
  t.is(attempts[0]!.retryDelayMs, attempts[1]!.retryDelayMs);
});

test('the query returns attempts made, last answer and next time', async (t) => {
  const nextAttemptAtMs = Date.now() + DAY_MS;
  const { start } = await deliveryHarness(t, [refusedForLong]);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', input({ nextAttemptAtMs }));
  t.deepEqual(await handle.query(deliveryProgress), {
    attemptsMade: 1,
    lastAnswer: null,
    nextAttemptAt: new Date(nextAttemptAtMs).toISOString(),
  });
  await handle.signal(retryNow);
  await eventually(async () => (await handle.query(deliveryProgress)).attemptsMade === 2);
  t.is((await handle.query(deliveryProgress)).lastAnswer, 'rejected (503)');
  await handle.cancel();
  await handle.result();
  t.is((await handle.query(deliveryProgress)).attemptsMade, 2);
});

test('the state search attribute follows the delivery', async (t) => {
  const { start } = await deliveryHarness(t, [refused]);
  const keywords = { [searchAttributes.state]: 'retrying' };
  const handle = await start<typeof deliverWebhook>('deliverWebhook', { ...input({ scheduleMs: [] }), keywords });
  await handle.result();
  const { typedSearchAttributes } = await handle.describe();
  t.is(typedSearchAttributes.get(stateAttribute), 'exhausted');
});

const circuit = {
  destination: 'webhook',
  channelId: 'ch_00000001',
  circuitWorkflowId: 'destination/webhook-ch_00000001',
  lastAnswer: 'rejected (503)',
  probeAtMs: Date.UTC(2030, 0, 1),
  dashboardUrl: 'https://api.example.com/app/org_00000001/ws_00000001/deliveries/wd_00000001',
};
const circuitOpen = () => {
  return { status: 'waiting', attemptsMade: 1, nextAttemptAtMs: Date.now() + DAY_MS, circuit } as const;
};

test('the details of a delivery show the open circuit', async (t) => {
  const checks = [circuitOpen, (): DeliveryCheck => ({ status: 'due' })];
  const { start, attempts, client } = await deliveryHarness(t, [delivered], checks);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', input());
  const detailsOf = async () => String(await handle.query('__temporal_workflow_metadata').then(currentDetailsOf));
  await eventually(async () => (await detailsOf()).includes('circuit'));

  const details = await detailsOf();
  for (const part of [
    '`webhook` of `ch_00000001`',
    'Last answer: rejected (503). Attempts made: 1',
    'Probes: from 2030-01-01T00:00:00.000Z on, by the workflow `destination/webhook-ch_00000001`',
    `](${circuit.dashboardUrl})`,
  ]) {
    t.true(details.includes(part), `${part} in ${details}`);
  }
  t.is(attempts.length, 0);
  t.deepEqual(await summariesOf(client, handle.workflowId), [
    'attempt 2',
    'check before attempt 2',
    'circuit of webhook',
  ]);

  await handle.signal(circuitClosed);
  t.deepEqual(await handle.result(), { status: 'delivered', attempts: 2 });
  t.deepEqual(await summariesOf(client, handle.workflowId), [
    ...['attempt 2', 'check before attempt 2', 'circuit of webhook'],
    ...['check the circuit of webhook', 'attempt 2'],
  ]);
});

test('a delivery whose circuit has closed retries again', async (t) => {
  const checks = [circuitOpen, (): DeliveryCheck => ({ status: 'due' })];
  const { start } = await deliveryHarness(t, [refused], checks);
  const handle = await start<typeof deliverWebhook>('deliverWebhook', input({ scheduleMs: [DAY_MS, DAY_MS] }));
  const stateOf = async () => (await handle.describe()).typedSearchAttributes.get(stateAttribute);
  await eventually(async () => (await stateOf()) === 'waiting');
  await handle.signal(circuitClosed);
  await eventually(async () => (await stateOf()) === 'retrying');
  await handle.cancel();
  t.like(await handle.result(), { status: 'cancelled' });
});

test('waits for an open circuit do not use up the schedule', async (t) => {
  const openBriefly = (): DeliveryCheck => ({ ...circuitOpen(), nextAttemptAtMs: Date.now() });
  const checks = [openBriefly, openBriefly, (): DeliveryCheck => ({ status: 'due' })];
  const { execute, attempts } = await deliveryHarness(t, [delivered], checks);
  await execute<typeof deliverWebhook>('deliverWebhook', input({ scheduleMs: [1, 1] }));
  t.deepEqual(
    attempts.map(({ attempt, failedInSchedule, retryDelayMs }) => [attempt, failedInSchedule, retryDelayMs]),
    [[2, 1, 1]],
  );
});

for (const [what, status] of [
  ['has ended', 'ended'],
  ['was delivered by a probe', 'delivered'],
] as const) {
  test(`a delivery that ${what} makes no attempt`, async (t) => {
    const check = (): DeliveryCheck =>
      status === 'ended' ? { status } : { status, description: status, attemptsMade: 4 };
    const { execute, attempts } = await deliveryHarness(t, [refused], [check]);
    const result = await execute<typeof deliverWebhook>('deliverWebhook', input());
    t.deepEqual(result, { status, attempts: status === 'ended' ? 1 : 4 });
    t.is(attempts.length, 0);
  });
}

function currentDetailsOf(metadata: unknown): unknown {
  return (metadata as { readonly currentDetails?: string }).currentDetails;
}

/** Of the timers and activities in order, without times. */
async function summariesOf(client: Client, workflowId: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap(({ userMetadata, ...event }) => {
    if (!event.timerStartedEventAttributes && !event.activityTaskScheduledEventAttributes) return [];
    const data = userMetadata?.summary?.data;
    return data ? [String(JSON.parse(Buffer.from(data).toString())).replace(/(?: is open, check)? at 2.*/, '')] : [];
  });
}
