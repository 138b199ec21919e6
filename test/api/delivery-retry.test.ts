import test from 'ava';
import pg from 'pg';
import type { WorkflowStarts } from '../../api/start/workflow-starts.ts';
import type { TroubledDelivery } from '../../contract/delivery-workflow.ts';
import { noTemporal, testApi } from '../harness/api.ts';
import { aLedgerDelivery, aWebhook, type LedgerDelivery } from '../harness/ledger.ts';
import { aChannel, aTenant } from '../harness/tenants.ts';

const ended: readonly LedgerDelivery[] = [
  { status: 'exhausted', attemptCount: 12, failedInSchedule: 12 },
  { status: 'cancelled', attemptCount: 1, failedInSchedule: 1 },
  { status: 'skipped', skipReason: 'destination_disabled' },
];

for (const delivery of ended) {
  test(`a ${delivery.status} delivery begins a new schedule, and its pump is told`, async (t) => {
    const { db, databaseUrl, call } = await testApi(t);
    const { workspace, apiKey: key } = await aTenant(db);
    const channel = await aChannel(db, workspace);
    const destinationId = await aWebhook(db, channel);
    const { id, publicId } = await aLedgerDelivery(db, channel, { ...delivery, destinationId });
    const { xid } = await db('deliveries').where({ id }).first('xid');
    const listener = new pg.Client({ connectionString: databaseUrl });
    await listener.connect();
    t.teardown(() => listener.end());
    await listener.query('listen deliveries');
    const heard = new Promise<string | undefined>((resolve) =>
      listener.on('notification', ({ payload }) => resolve(payload)),
    );

    const answer = await call(`POST /deliveries/${publicId}/retry`, { key, workspace: workspace.publicId });

    t.is(answer.status, 202);
    t.deepEqual(answer.body, { deliveryId: publicId, status: 'pending' });
    const row = await db('deliveries').where({ id }).first();
    t.like(row, { status: 'pending', skip_reason: null, next_attempt_at: null, failed_in_schedule: 0 });
    t.is(row.attempt_count, delivery.attemptCount ?? 0, 'attempts are numbered on');
    t.not(row.xid, xid);
    t.is(await heard, String(row.shard));
  });
}

test('a delivery that never had a destination goes to the present webhook', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const { id, publicId } = await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination' });
  const at = { key, workspace: workspace.publicId };
  const { body } = await refused('DELIVERY_ENDED', `POST /deliveries/${publicId}/retry`, at);
  t.regex(body.message, /no webhook/);
  const destinationId = await aWebhook(db, channel);
  t.is((await call(`POST /deliveries/${publicId}/retry`, at)).status, 202);
  const destination = await db('destinations').where({ id: destinationId }).first();
  t.like(await db('deliveries').where({ id }).first(), { destination_id: destinationId, shard: destination.shard });
});

test('a pending delivery is pending already, and a delivered one stays delivered', async (t) => {
  const { db, call, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const destinationId = await aWebhook(db, channel);
  const at = { key, workspace: workspace.publicId };
  const pending = await aLedgerDelivery(db, channel, { destinationId });
  t.is((await call(`POST /deliveries/${pending.publicId}/retry`, at)).body.status, 'pending');
  const delivered = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', attemptCount: 1 });
  await refused('DELIVERY_ALREADY_DELIVERED', `POST /deliveries/${delivered.publicId}/retry`, at);
});

test("a retrying delivery's workflow is told to go now", async (t) => {
  const asked: TroubledDelivery[] = [];
  const temporal: WorkflowStarts = {
    ...noTemporal,
    retryDelivery: (delivery) => {
      asked.push(delivery);
      return Promise.resolve({ state: 'ended', result: 'signalled' });
    },
  };
  const { db, call } = await testApi(t, { temporal });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const destinationId = await aWebhook(db, channel);
  const { publicId } = await aLedgerDelivery(db, channel, {
    destinationId,
    status: 'retrying',
    attemptCount: 3,
    failedInSchedule: 2,
  });
  const { body } = await call(`POST /deliveries/${publicId}/retry`, { key, workspace: workspace.publicId });
  t.is(body.status, 'retrying');
  t.like(asked, [
    { deliveryId: publicId, channelId: channel.publicId, workspaceId: workspace.publicId, destination: 'webhook', attemptsMade: 3, failedInSchedule: 2 },
  ]); // prettier-ignore
});

test('a retrying delivery can not be told while Temporal is away', async (t) => {
  const { db, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const destinationId = await aWebhook(db, channel);
  const { publicId } = await aLedgerDelivery(db, channel, { destinationId, status: 'retrying', attemptCount: 1 });
  await refused('WORKFLOW_UNAVAILABLE', `POST /deliveries/${publicId}/retry`, { key, workspace: workspace.publicId });
});

test('a delivery does not go again while something stands against it', async (t) => {
  const { db, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const destinationId = await aWebhook(db, channel);
  const { id, publicId } = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted' });
  const retry = [`POST /deliveries/${publicId}/retry`, { key, workspace: workspace.publicId }] as const;
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
