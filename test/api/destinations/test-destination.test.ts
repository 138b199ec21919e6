import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { createSendDelivery } from '../../../activities/deliveries/send-delivery.ts';
import { createOpenCredentials, createOpenSecret } from '../../../activities/signing/open-secret.ts';
import { createTestEventActivities } from '../../../activities/destinations/test-event-activities.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { parseCidrs } from '../../../contract/addresses/classify-address.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { readWebhookSecret } from '../../../db/webhooks/secrets.ts';
import { createEgress } from '../../../egress/client.ts';
import { startReceiver } from '../../../simulator/receiver/receiver.ts';
import { channelStage, webhookStage } from '../../harness/api/stages.ts';
import { aDestination, aWebhook } from '../../harness/deliveries/ledger.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, aTenant, testBodyBox, testSecretBox } from '../../harness/tenants.ts';

/** Calls the activity directly instead of through Temporal. */
async function testing(t: ExecutionContext, { calls = 1 } = {}) {
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  const egress = createEgress({ allowCidrs: parseCidrs('127.0.0.0/8'), allowHttp: true });
  t.teardown(() => egress.close());
  const openSecret = createOpenSecret(testSecretBox);
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    sendTestEvent: async ({ testEventId }) => {
      const { idKey } = await readInstallation(db);
      const sendDelivery = createSendDelivery({
        egress,
        idKey,
        openSecret,
        bodyBox: testBodyBox,
        openCredentials: createOpenCredentials(testSecretBox),
      });
      const { attemptTestEvent } = createTestEventActivities({ db, sendDelivery, log: rememberingLog() });
      for (let call = 0; call < calls; call++) await attemptTestEvent({ testEventId });
      return { state: 'ended', result: 'accepted' };
    },
  });
  const api = await channelStage(t, { starts: temporal });
  const { channel, at } = api;
  const webhook = receiver.webhook('tested');
  const secretKey = { channelId: channel.id, channelPublicId: channel.publicId };
  webhook.set({ secret: (await readWebhookSecret(api.db, testSecretBox, secretKey)).secret });
  return { ...api, at, webhook, route: `POST /webhook-config/${channel.publicId}/test` };
}

test('a webhook test sends a signed sample and leaves the ledger unchanged', async (t) => {
  const { db, call, at, channel, webhook, route } = await testing(t, { calls: 2 });
  await aWebhook(db, channel, { url: webhook.url });
  const before = await db('destinations').first();
  webhook.set({ then: { status: 503, body: 'not today' } });
  const { status, body } = await call(route, at);
  t.is(status, 200);
  t.like(body, { channelId: channel.publicId, subscriptionId: null, url: webhook.url, eventType: 'chatapp.message.received' }); // prettier-ignore
  t.like(body.attempt, { number: 1, outcome: 'rejected', status: 503, responseBody: 'not today', error: null });
  const [received, ...others] = webhook.deliveries();
  t.deepEqual(others, [], 'a repeat of the activity sends nothing');
  t.like(received, { signatureValid: true, standardSignatureValid: true });
  t.like(received!.headers, {
    'user-agent': 'Service-Webhook-Sender/1.0',
    'x-service-event-type': 'chatapp.message.received',
    'x-service-delivery-id': body.deliveryId,
    'x-service-event-id': body.eventId,
    'x-service-attempt': '1',
    'webhook-id': body.deliveryId,
  });
  t.is(Buffer.from(received!.bodyBase64!, 'base64').toString(), body.payload);
  t.is((await db('deliveries')).length + (await db('events')).length, 0);
  t.deepEqual(await db('destinations').first(), before, 'a test does not change the destination');
  t.is((await call(`GET /deliveries/${body.deliveryId}`, at)).status, 404);
  t.like(await db('audit_entries').where({ action: 'destination.tested' }).first(), { target_id: channel.publicId });
  t.not((await call(route, at)).body.deliveryId, body.deliveryId);
});

test('a test event of any type has a record of its own', async (t) => {
  const { db, call, refused, at, channel, webhook, route } = await testing(t);
  await aWebhook(db, channel, { url: webhook.url });
  for (const eventType of ['chatapp.message.status', 'chatapp.other.received']) {
    const { body } = await call(route, { ...at, body: { eventType } });
    t.is(body.eventType, eventType);
    const record = (await call(`GET /channels/${channel.publicId}/test-events/${body.deliveryId}`, at)).body;
    t.like(record, { ...body, isTest: true });
    const { requests } = (await call(`GET /channels/${channel.publicId}/test-events/${body.deliveryId}/requests`, at))
      .body;
    const { headers, sha256 } = webhook.deliveries().at(-1)!;
    t.like(requests, [{ attempt: 1, url: webhook.url, bodySha256: sha256 }]);
    t.like(headers, requests[0].headers);
  }
  const list = `GET /channels/${channel.publicId}/test-events`;
  const first = (await call(`${list}?limit=1`, at)).body;
  t.is(first.testEvents[0].eventType, 'chatapp.other.received');
  const next = (await call(`${list}?limit=1&cursor=${first.nextCursor}`, at)).body;
  t.deepEqual([next.testEvents[0].eventType, next.nextCursor], ['chatapp.message.status', null]);
  for (const eventType of ['pageapp.message.read', 'chatapp.message', 7]) {
    await refused('VALIDATION_ERROR', route, { ...at, body: { eventType } });
  }
  await refused('VALIDATION_ERROR', route, { ...at, body: { type: 'chatapp.message.status' } });
  await refused('DELIVERY_NOT_FOUND', `${list}/wd_00000000`, at);
  await refused('DELIVERY_NOT_FOUND', `${list}/wd_00000000/requests`, at);
});

test('test events are visible only in the workspace that sent them', async (t) => {
  const { db, call, refused, at, channel, webhook, route } = await testing(t);
  await aWebhook(db, channel, { url: webhook.url });
  const { body } = await call(route, at);
  const path = `GET /channels/${channel.publicId}/test-events`;
  const stranger = await aTenant(db);
  await refused('CHANNEL_NOT_FOUND', path, { key: stranger.apiKey });
  await refused('CHANNEL_NOT_FOUND', `${path}/${body.deliveryId}`, { key: stranger.apiKey });
  const other = await aChannel(db, stranger.workspace);
  const foreign = `GET /channels/${other.publicId}/test-events/${body.deliveryId}`;
  await refused('DELIVERY_NOT_FOUND', foreign, { key: stranger.apiKey });
  await refused('DELIVERY_NOT_FOUND', `${foreign}/requests`, { key: stranger.apiKey });
  await db('channels').where({ id: channel.id }).update({ workspace_id: stranger.workspace.id });
  t.deepEqual((await call(path, { key: stranger.apiKey })).body.testEvents, []);
  await refused('DELIVERY_NOT_FOUND', `${path}/${body.deliveryId}`, { key: stranger.apiKey });
});

test('a test of a disabled subscription sends an event it lists', async (t) => {
  const { db, call, refused, at, channel, webhook } = await testing(t);
  const destination_id = await aDestination(db, channel);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: channel.id, destination_id });
  const disabled = { enabled: false, disabled_reason: 'gone' };
  await db('destinations').update({ url: webhook.url, event_types: ['chatapp.message.status'], ...disabled });
  const route = `POST /channels/${channel.publicId}/subscriptions/sub_00000001/test`;
  const { body } = await call(route, at);
  t.like(body, { subscriptionId: 'sub_00000001', eventType: 'chatapp.message.status' });
  t.like(body.attempt, { outcome: 'accepted', status: 200 });
  t.is(webhook.deliveries()[0]!.headers['x-service-event-type'], 'chatapp.message.status');
  t.false((await db('destinations').first()).enabled);
  await refused('SUBSCRIPTION_NOT_FOUND', route.replace('sub_00000001', 'sub_00000002'), at);
});

test('a test reports a missing response or a blocked address', async (t) => {
  const { db, call, at, channel, webhook, route } = await testing(t);
  await aWebhook(db, channel, { url: webhook.url });
  webhook.set({ then: { mode: 'reset' } });
  t.like((await call(route, at)).body.attempt, { outcome: 'no_response', status: null, error: 'reset' });
  await db('destinations').update({ url: 'http://10.0.0.1/hook' });
  t.like((await call(route, at)).body.attempt, { outcome: 'blocked', status: null, responseBody: null });
});

test('a test without a webhook is refused', async (t) => {
  const { refused, at, route } = await testing(t);
  await refused('WEBHOOK_NOT_SET', route, at);
});

test('an unsent test is distinguished from an unanswered one', async (t) => {
  let state: 'not_started' | 'unknown' = 'not_started';
  const temporal: Partial<WorkflowStarts> = { sendTestEvent: () => Promise.resolve({ state, cause: null }) };
  const { db, refused, channel, at } = await webhookStage(t, { starts: temporal });
  const test = [`POST /webhook-config/${channel.publicId}/test`, at] as const;
  const audited = () => db('audit_entries').where({ action: 'destination.tested' });
  await refused('WORKFLOW_UNAVAILABLE', ...test);
  t.deepEqual(await audited(), []);
  state = 'unknown';
  await refused('PLATFORM_OUTCOME_UNKNOWN', ...test);
  t.is((await audited()).length, 1, 'a test that may have been sent is audited');
});
