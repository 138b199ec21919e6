import test, { type ExecutionContext } from 'ava';
import { ApplicationFailure } from '@temporalio/common';
import { sequencedId } from '../../../contract/ids.ts';
import { accepted, anItem, deliveryRows } from '../../harness/deliveries/hot-ledger.ts';
import { fillShare } from '../../harness/deliveries/fill-share.ts';
import { HELD_MS, pumpStage } from '../../harness/deliveries/pump-stage.ts';
import { inActivity } from '../../harness/temporal/activity.ts';
import { isWaitedFor } from '../../harness/time/waits.ts';

async function failedDelivery(t: ExecutionContext) {
  const stage = await pumpStage(t);
  const [id] = await accepted(stage.pool, [anItem()]);
  const retrying = { status: 'retrying', attempt_count: 1, failed_in_schedule: 1, next_attempt_at: new Date() };
  await stage.db('deliveries').where({ id: id! }).update(retrying);
  const hold = { destination_id: stage.destination.id, conversation_key: 1, delivery_id: id! };
  await stage.db('conversation_holds').insert({ ...hold, until_at: new Date(Date.now() + 60_000) });
  const deliveryId = sequencedId(stage.idKey, 'delivery', id!);
  const attempt = (attempt = 2, retryDelayMs: number | null = 60_000) =>
    stage.deliveryActivities.attemptDelivery({ deliveryId, attempt, failedInSchedule: attempt - 1, retryDelayMs });
  const row = async () => (await deliveryRows(stage.pool))[0]!;
  const holdCount = async () => (await stage.pool.query('select 1 from conversation_holds')).rowCount;
  const attempts = async () => (await stage.pool.query('select * from attempts order by number')).rows;
  const update = (change: object) => stage.db('deliveries').where({ id: id! }).update(change);
  return { ...stage, id: id!, deliveryId, attempt, row, holdCount, attempts, update };
}

test('an accepted attempt delivers and releases its hold; a repeat sends nothing', async (t) => {
  const { attempt, row, holdCount, attempts, webhook } = await failedDelivery(t);
  webhook.set({ then: { status: 202, body: 'ok' } });
  t.deepEqual(await attempt(), { status: 'delivered', description: 'accepted (202)', attemptsMade: 2 });
  t.like(await row(), { status: 'delivered', attempt_count: 2, next_attempt_at: null });
  t.is(await holdCount(), 0);
  t.like((await attempts())[0], { number: 2, outcome: 'accepted', status: 202 });

  t.like(await attempt(), { status: 'delivered' });
  t.is(webhook.deliveries().length, 1);
  t.is((await attempts()).length, 1);
});

test('a failed attempt schedules the next; a repeat returns the same answer', async (t) => {
  const { attempt, row, holdCount, attempts, webhook } = await failedDelivery(t);
  webhook.set({ then: { status: 500, body: 'secret details' } });
  const sinceMs = Date.now();
  const answer = await attempt();
  t.like(answer, { status: 'retrying', description: 'rejected (500)' });
  const { next_attempt_at, ...rest } = await row();
  t.like(rest, { status: 'retrying', attempt_count: 2, failed_in_schedule: 2 });
  t.is(answer.status === 'retrying' && answer.nextAttemptAtMs, next_attempt_at!.getTime());
  isWaitedFor(t, next_attempt_at!, { waitMs: 60_000, sinceMs });

  t.like(await attempt(), { status: 'retrying', nextAttemptAtMs: next_attempt_at!.getTime() });
  t.is(webhook.deliveries().length, 1);
  t.is((await attempts()).length, 1);
  t.is(await holdCount(), 1);
});

test('an attempt beyond the share of its organization waits without a slot', async (t) => {
  const { attempt, row, webhook, receiverShares, tenant } = await failedDelivery(t);
  const release = fillShare(receiverShares, { organizationId: tenant.organization.id });
  const countBefore = receiverShares.count();
  const busy = await t.throwsAsync(
    inActivity(() => attempt()),
    { instanceOf: ApplicationFailure },
  );
  t.like(busy, { type: 'ReceiversBusy', category: 'BENIGN', nonRetryable: false });
  t.true(Number(busy.nextRetryDelay) <= 1_000);
  const later = await inActivity(() => attempt(), { attempt: 10 });
  t.like(later, { status: 'waiting', attemptsMade: 1 }, 'the workflow waits before it counts as blocked');
  t.is(receiverShares.count(), countBefore);
  t.true(countBefore <= receiverShares.capacity / 4, 'others find slots');
  t.is(webhook.deliveries().length, 0);
  release();
  webhook.set({ then: { status: 202 } });
  t.like(await attempt(), { status: 'delivered' });
  t.is((await row()).attempt_count, 2);
  t.is(receiverShares.count(), 0);
});

test('a workflow leaves a delivery to the pump that retries it', async (t) => {
  const { attempt, row, holdCount, update, webhook } = await failedDelivery(t);
  await update({ pump_retries: true });
  t.deepEqual(await attempt(), { status: 'ended' });
  t.is(webhook.deliveries().length, 0);
  t.like(await row(), { status: 'retrying', attempt_count: 1 });
  t.is(await holdCount(), 1);
});

test('the answer contains the status of the receiver but not its text', async (t) => {
  const { attempt, webhook } = await failedDelivery(t);
  webhook.set({ then: { status: 500, body: 'canary-body', headers: { 'x-canary': 'canary-header' } } });
  t.false(JSON.stringify(await attempt()).includes('canary'));
});

test('Retry-After can delay the next attempt beyond the schedule', async (t) => {
  const { attempt, row, webhook } = await failedDelivery(t);
  webhook.set({ then: { status: 503, headers: { 'retry-after': '7200' } } });
  const sinceMs = Date.now();
  await attempt(2, 1_000);
  isWaitedFor(t, (await row()).next_attempt_at!, { waitMs: 7_200_000, sinceMs });
});

test('the last failure exhausts the delivery and releases its hold', async (t) => {
  const { attempt, row, holdCount, webhook } = await failedDelivery(t);
  webhook.set({ then: { status: 410 } });
  t.like(await attempt(2, null), { status: 'exhausted', description: 'rejected (410)' });
  t.like(await row(), { status: 'exhausted', next_attempt_at: null, attempt_count: 2 });
  t.is(await holdCount(), 0);
  t.like(await attempt(2, null), { status: 'exhausted' });
  t.is(webhook.deliveries().length, 1);
});

test('an attempt without a response is described by its error code', async (t) => {
  const { attempt, webhook, attempts } = await failedDelivery(t);
  webhook.set({ then: { mode: 'reset' } });
  t.like(await attempt(), { status: 'retrying', description: 'no_response (reset)' });
  t.like((await attempts())[0], { outcome: 'no_response', status: null, error: 'reset' });
});

for (const status of ['pending', 'cancelled', 'skipped', 'delivered', 'exhausted'] as const) {
  test(`a delivery that became ${status} gets no attempt and loses its hold`, async (t) => {
    const { attempt, update, holdCount, webhook } = await failedDelivery(t);
    const skip_reason = status === 'skipped' ? 'forwarding_disabled' : null;
    await update({ status, skip_reason, next_attempt_at: null });
    t.deepEqual(await attempt(), { status: 'ended' });
    t.is(await holdCount(), 0);
    t.deepEqual(webhook.deliveries(), []);
  });
}

test('a delivery that became void ends without an attempt', async (t) => {
  const { attempt, db, row, holdCount, webhook } = await failedDelivery(t);
  await db('destinations').update({ enabled: false });
  t.deepEqual(await attempt(), { status: 'ended' });
  t.like(await row(), { status: 'skipped', skip_reason: 'destination_disabled' });
  t.is(await holdCount(), 0);
  t.deepEqual(webhook.deliveries(), []);
});

for (const [answered, returned, status] of [
  [200, 'delivered', 'delivered'],
  [500, 'ended', 'cancelled'],
] as const) {
  test(`a delivery cancelled during an attempt answered ${answered} is ${status}`, async (t) => {
    const { attempt, update, row, webhook } = await failedDelivery(t);
    webhook.set({ then: { delayMs: HELD_MS, status: answered } });
    const answer = attempt();
    await webhook.waitForDeliveries(1);
    await update({ status: 'cancelled', next_attempt_at: null });
    webhook.release();
    t.like(await answer, { status: returned });
    t.is((await row()).status, status);
  });
}

test('the second of two overlapping runs returns the time of the first', async (t) => {
  const { attempt, row, webhook, attempts } = await failedDelivery(t);
  webhook.set({ then: { status: 500, delayMs: HELD_MS } });
  const both = [attempt(), attempt()];
  await webhook.waitForDeliveries(2);
  webhook.release();
  const answers = await Promise.all(both);
  const next = (await row()).next_attempt_at!.getTime();
  for (const answer of answers) t.like(answer, { status: 'retrying', nextAttemptAtMs: next });
  t.like(await row(), { attempt_count: 2, failed_in_schedule: 2 });
  t.is((await attempts()).length, 1);
});

test('a cancelled workflow cancels its delivery once and releases its hold', async (t) => {
  const { deliveryActivities, deliveryId, row, holdCount, update } = await failedDelivery(t);
  await deliveryActivities.endDelivery({ deliveryId, status: 'cancelled' });
  const first = await row();
  t.is(first.status, 'cancelled');
  t.is(await holdCount(), 0);
  await deliveryActivities.endDelivery({ deliveryId, status: 'cancelled' });
  t.deepEqual(await row(), first);
  await update({ status: 'delivered' });
  await deliveryActivities.endDelivery({ deliveryId, status: 'cancelled' });
  t.is((await row()).status, 'delivered');
});

test('an unknown delivery fails permanently', async (t) => {
  const { idKey, deliveryActivities: activities } = await pumpStage(t);
  for (const deliveryId of [sequencedId(idKey, 'delivery', 999_999), 'wd_00000000', 'nonsense']) {
    const failure = await t.throwsAsync(
      activities.attemptDelivery({ deliveryId, attempt: 2, failedInSchedule: 1, retryDelayMs: 1 }),
      {
        instanceOf: ApplicationFailure,
      },
    );
    t.true(failure.nonRetryable);
    t.is(failure.type, 'DeliveryNotFound');
  }
});
