import { createHash, createHmac } from 'node:crypto';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { startSender } from '../../harness/system/platform-sender.ts';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { untilStatuses } from '../../harness/system/delivery-watch.ts';

/** Emoji, escapes, large numbers, a duplicate key and odd spacing must arrive unchanged. */
const awkwardMessage =
  '"text" : {"body":"Grüße 👋🏽 \\ud83d\\udc4b \\u0041\\/\\n"},"big":12345678901234567890,"small":1e-400,' +
  '"twice":1,"twice":2,\t"empty":{}, "nested":[[],[{}]]';

function awkwardRequest(resourceId: string): Buffer {
  return Buffer.from(
    `{"object":"chatapp","entry":[{"id":"9","changes":[{"field":"messages","value":{"messaging_product":"chatapp",` +
      `"metadata":{"phone_number_id":"${resourceId}"},"messages":[{"from":"15550001","id":"mid.1",` +
      `"timestamp":"1700000000","type":"text",${awkwardMessage}}]}}]}]}`,
  );
}

test('a platform message reaches the receiver signed and unchanged', async (t) => {
  const { api, channel, receiver, ...system } = await sharedSystem(t);
  const sender = await startSender(t, system);
  const hook = receiver.webhook('signed');
  const connected = await channel({ webhookUrl: hook.url });
  const { body: hmac } = await api.call(`GET /webhook-config/${connected.publicId}/hmac`);
  const sentAtSeconds = Math.floor(Date.now() / 1000);
  const bytes = awkwardRequest(connected.resourceId);

  const sent = await sender.sendRaw(bytes);
  const [received] = await hook.waitForDeliveries(1);

  t.is(sent.status, 200);
  const body = Buffer.from(received!.bodyBase64!, 'base64');
  t.is(createHash('sha256').update(body).digest('hex'), sent.bodySha256);
  t.deepEqual(body, bytes);
  t.is(received!.method, 'POST');

  const { headers } = received!;
  const [deliveryId] = await untilStatuses(api, { channel: connected, statuses: ['delivered'] });
  const { body: delivery } = await api.call(`GET /deliveries/${deliveryId}`);
  t.like(headers, {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook-Sender/1.0',
    'x-service-delivery-id': deliveryId,
    'x-service-event-id': delivery.eventId,
    'x-service-event-type': 'chatapp.message.received',
    'x-service-attempt': '1',
    'webhook-id': deliveryId,
  });
  const signedAtSeconds = Number(headers['webhook-timestamp']);
  t.true(signedAtSeconds >= sentAtSeconds && signedAtSeconds <= Math.ceil(Date.now() / 1000));
  const ownHmac = createHmac('sha256', Buffer.from(hmac.hmacSecret, 'utf8')).update(body).digest('hex');
  t.is(headers['x-service-signature-256'], `sha256=${ownHmac}`);
  const standard = new Webhook(hmac.hmacSecret);
  t.notThrows(() => standard.verify(body, headers as Record<string, string>, { jsonParse: false }));
  t.throws(() => standard.verify(Buffer.concat([body, Buffer.from(' ')]), headers as Record<string, string>));
  t.is(delivery.payload, bytes.toString('utf8'));
  t.is(delivery.platformMessageId, 'mid.1');
});

test('the API refuses unsigned and wrongly signed platform requests and stores nothing', async (t) => {
  const { apiUrls, channel, db, receiver } = await sharedSystem(t);
  const connected = await channel({ webhookUrl: receiver.webhook('unsigned').url });
  for (const signature of [undefined, `sha256=${'0'.repeat(64)}`]) {
    const response = await fetch(`${apiUrls[0]}/platform/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(signature && { 'x-hub-signature-256': signature }) },
      body: new Uint8Array(awkwardRequest(connected.resourceId)),
    });
    t.is(response.status, 401);
  }
  t.deepEqual(await db('events').where({ channel_id: connected.id }), []);
  t.deepEqual(await db('unrouted_events').where({ resource_id: connected.resourceId }), []);
});

test("the API answers the platform's handshake and refuses a wrong token", async (t) => {
  const system = await sharedSystem(t);
  const sender = await startSender(t, system);

  const right = await sender.sendHandshake();
  t.is(right.status, 200);
  t.is(right.body, right.challenge);
  t.is((await sender.sendHandshake('wrong')).status, 403);
});
