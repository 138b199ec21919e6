import { createHash, createHmac } from 'node:crypto';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { sharedSystem } from '../../harness/system/shared-system.ts';
import { untilStatuses } from '../../harness/system/delivery-watch.ts';
import { connectedWith } from '../../harness/system/connected.ts';

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
  const { api, connected, hook, sender } = await connectedWith(t, await sharedSystem(t));
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
