import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import type { FailedDelivery } from '../../../contract/deliveries/workflow.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { channelStage, webhookStage } from '../../harness/api/stages.ts';
import { aLedgerDelivery, aWebhook, type LedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aStaffKey } from '../../harness/people/staff.ts';

const ended: readonly LedgerDelivery[] = [
  { status: 'exhausted', attemptCount: 12, failedInSchedule: 12 },
  { status: 'cancelled', attemptCount: 1, failedInSchedule: 1 },
  { status: 'skipped', skipReason: 'destination_disabled' },
];

for (const delivery of ended) {
  test(`a ${delivery.status} delivery starts a new schedule, and its pump is notified`, async (t) => {
    const { db, databaseUrl, call, at, deliver } = await webhookStage(t);
    const { id, publicId } = await deliver(delivery);
    const { xid } = await db('deliveries').where({ id }).first('xid');
    const listener = new pg.Client({ connectionString: databaseUrl });
    await listener.connect();
    t.teardown(() => listener.end());
    await listener.query('listen deliveries');
    const heard = new Promise<string | undefined>((resolve) =>
      listener.on('notification', ({ payload }) => resolve(payload)),
    );

    const answer = await call(`POST /deliveries/${publicId}/retry`, at);

    t.is(answer.status, 202);
    t.deepEqual(answer.body, { deliveryId: publicId, status: 'pending' });
    const row = await db('deliveries').where({ id }).first();
    t.like(row, { status: 'pending', skip_reason: null, next_attempt_at: null, failed_in_schedule: 0 });
    t.is(row.attempt_count, delivery.attemptCount ?? 0, 'attempt numbers continue');
    t.not(row.xid, xid);
    t.is(await heard, String(row.shard));
  });
}

test('a delivery without a destination is retried to the current webhook', async (t) => {
  const { db, call, refused, channel, at } = await channelStage(t);
  const { id, publicId } = await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination' });
  const { body } = await refused('DELIVERY_ENDED', `POST /deliveries/${publicId}/retry`, at);
  t.regex(body.message, /no webhook/);
  const destinationId = await aWebhook(db, channel);
  t.is((await call(`POST /deliveries/${publicId}/retry`, at)).status, 202);
  const destination = await db('destinations').where({ id: destinationId }).first();
  t.like(await db('deliveries').where({ id }).first(), { destination_id: destinationId, shard: destination.shard });
});

test('a retry leaves pending deliveries and refuses delivered ones', async (t) => {
  const { call, refused, at, deliver } = await webhookStage(t);
  const pending = await deliver();
  t.is((await call(`POST /deliveries/${pending.publicId}/retry`, at)).body.status, 'pending');
  const delivered = await deliver({ status: 'delivered', attemptCount: 1 });
  await refused('DELIVERY_ALREADY_DELIVERED', `POST /deliveries/${delivered.publicId}/retry`, at);
});

/** The delivery is held behind the failed head of its conversation. */
async function heldBack(t: ExecutionContext, { isAway = false } = {}) {
  const requests: FailedDelivery[] = [];
  const retryDelivery = (delivery: FailedDelivery) => {
    requests.push(delivery);
    return Promise.resolve(
      isAway
        ? ({ state: 'not_started', cause: undefined } as const)
        : ({ state: 'ended', result: 'signalled' } as const),
    );
  };
  const api = await webhookStage(t, { starts: { retryDelivery } });
  const { db, destinationId, at, deliver } = api;
  const head = await deliver({ status: 'retrying', attemptCount: 1 });
  const behind = await deliver();
  const { conversation_key } = await db('deliveries').where({ id: head.id }).first('conversation_key');
  await db('deliveries').where({ id: behind.id }).update({ conversation_key });
  const hold = async (untilAt: Date) => {
    await db('conversation_holds').delete();
    const row = { destination_id: destinationId, conversation_key, delivery_id: head.id, until_at: untilAt };
    await db('conversation_holds').insert(row);
  };
  await hold(new Date(Date.now() + 300_000));
  const row = () => db('deliveries').where({ id: behind.id }).first();
  const retry = [`POST /deliveries/${behind.publicId}/retry`, at] as const;
  return { ...api, behind, hold, row, retry, requests };
}

test('a retry of a held pending delivery signals its workflow', async (t) => {
  const { db, call, behind, row, retry, requests } = await heldBack(t);
  const answer = await call(...retry);
  t.is(answer.status, 202);
  t.deepEqual(answer.body, { deliveryId: behind.publicId, status: 'retrying' });
  t.like(requests, [{ deliveryId: behind.publicId, attemptsMade: 0, failedInSchedule: 0 }]);
  t.true(requests[0]!.nextAttemptAtMs <= Date.now());
  const now = await row();
  t.is(now.status, 'retrying');
  t.true(now.next_attempt_at <= new Date());
  t.is((await db('conversation_holds')).length, 1, 'other deliveries behind the head still wait');
  t.is((await db('audit_entries').where({ action: 'delivery.retried' })).length, 1);
});

test('a pending delivery without a hold is left to its pump', async (t) => {
  const { call, hold, row, retry, requests } = await heldBack(t);
  await hold(new Date(Date.now() - 1));
  t.is((await call(...retry)).body.status, 'pending');
  t.is((await row()).status, 'pending');
  t.deepEqual(requests, []);
});

const limits = [{ requestsPerSecond: 1 }, { concurrency: 1 }, { debounce: { seconds: 60 } }] as const;

for (const options of limits) {
  test(`a retry does not wait for ${Object.keys(options).join()}`, async (t) => {
    const { db, call, hold, behind, row, retry, requests, destinationId } = await heldBack(t);
    await hold(new Date(Date.now() - 1));
    await db('destinations').where({ id: destinationId }).update({ options });
    t.is((await call(...retry)).body.status, 'retrying');
    t.like(requests, [{ deliveryId: behind.publicId }]);
    t.true((await row()).next_attempt_at <= new Date());
  });
}

test("a retry leaves a listener's delivery to its reader", async (t) => {
  const { db, call, behind, row, retry, requests, destinationId } = await heldBack(t);
  await db('destinations').where({ id: destinationId }).update({ type: 'listener', url: null });
  await db('deliveries').where({ id: behind.id }).update({ shard: -1 });
  t.is((await call(...retry)).body.status, 'pending');
  t.is((await row()).status, 'pending');
  t.deepEqual(requests, []);
});

test("a held delivery stays pending if its workflow can't be signalled", async (t) => {
  const { db, refused, row, retry } = await heldBack(t, { isAway: true });
  await refused('WORKFLOW_UNAVAILABLE', ...retry);
  t.like(await row(), { status: 'pending', next_attempt_at: null });
  t.deepEqual(await db('audit_entries').where({ action: 'delivery.retried' }), []);
});

test('a retry signals the workflow of a retrying delivery', async (t) => {
  const requests: FailedDelivery[] = [];
  const temporal: Partial<WorkflowStarts> = {
    retryDelivery: (delivery) => {
      requests.push(delivery);
      return Promise.resolve({ state: 'ended', result: 'signalled' });
    },
  };
  const { call, workspace, channel, at, deliver } = await webhookStage(t, { starts: temporal });
  const { publicId } = await deliver({ status: 'retrying', attemptCount: 3, failedInSchedule: 2 });
  const { body } = await call(`POST /deliveries/${publicId}/retry`, at);
  t.is(body.status, 'retrying');
  t.like(requests, [
    { deliveryId: publicId, channelId: channel.publicId, workspaceId: workspace.publicId, destination: 'webhook', attemptsMade: 3, failedInSchedule: 2 },
  ]); // prettier-ignore
});

test('an unanswered retry is audited for tenants and for staff', async (t) => {
  const retryDelivery = () => Promise.resolve({ state: 'unknown', cause: new Error('Connection dropped') } as const);
  const { db, refused, channel, destinationId, at } = await webhookStage(t, {
    starts: { retryDelivery },
  });
  const retrying = { destinationId, status: 'retrying', attemptCount: 1 } as const;
  const { publicId: targetId } = await aLedgerDelivery(db, channel, retrying);
  await refused('PLATFORM_OUTCOME_UNKNOWN', `POST /deliveries/${targetId}/retry`, at);
  const { token } = await aStaffKey(db);
  const body = { reason: 'Ticket 9' };
  await refused('PLATFORM_OUTCOME_UNKNOWN', `POST /staff/deliveries/${targetId}/retry`, { key: token, body });
  const entries = await db('audit_entries').where({ action: 'delivery.retried', target_id: targetId }).orderBy('id');
  t.deepEqual(fieldsOf(entries, 'actor_type', 'reason'), [
    ['api_key', null],
    ['staff', 'Ticket 9'],
  ]);
});

test('a retry of a retrying delivery fails during a Temporal outage', async (t) => {
  const { refused, at, deliver } = await webhookStage(t);
  const { publicId } = await deliver({ status: 'retrying', attemptCount: 1 });
  await refused('WORKFLOW_UNAVAILABLE', `POST /deliveries/${publicId}/retry`, at);
});

test('a retry to an unavailable destination or channel is refused', async (t) => {
  const { db, refused, at, deliver } = await webhookStage(t);
  const { id, publicId } = await deliver({ status: 'exhausted' });
  const retry = [`POST /deliveries/${publicId}/retry`, at] as const;
  await db('destinations').update({ enabled: false });
  t.regex((await refused('DELIVERY_ENDED', ...retry)).body.message, /disabled/);
  await db('destinations').update({ enabled: true, deleted_at: new Date() });
  t.regex((await refused('DELIVERY_ENDED', ...retry)).body.message, /deleted/);
  await db('channels').update({ forwarding_enabled: false });
  await refused('CHANNEL_FORWARDING_DISABLED', ...retry);
  await db('channels').update({ disconnected_at: new Date() });
  await refused('CHANNEL_DISCONNECTED', ...retry);
  t.like(await db('deliveries').where({ id }).first(), { status: 'exhausted' });
});
