import test from 'ava';
import { fieldsOf } from '../../harness/fields-of.ts';
import { channelStage, webhookStage } from '../../harness/api/stages.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aSentAttempt, aSentBatch } from '../../harness/deliveries/sent-attempts.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const url = 'https://receiver.example.com/old';

test('requests show the URL, the headers and the digest of each attempt', async (t) => {
  const { db, call, channel, at } = await channelStage(t);
  const destinationId = await aWebhook(db, channel, { url: 'https://receiver.example.com/new' });
  const { id, publicId } = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', attemptCount: 3 });
  const sent = { deliveryId: id, secret, body: '{}' };
  await aSentAttempt(db, { ...sent, url, own: { 'x-api-key': 'k', authorization: 'Bearer t' } });
  await db('attempts').insert({
    delivery_id: id,
    number: 2,
    started_at: new Date(),
    duration_ms: 1,
    outcome: 'blocked',
  });
  await aSentAttempt(db, { ...sent, url: `${url}er`, number: 3 });

  const { body } = await call(`GET /deliveries/${publicId}/requests`, at);

  t.deepEqual(fieldsOf(body.requests, 'attempt', 'url'), [
    [1, url],
    [3, `${url}er`],
  ]);
  const [{ headers, bodySha256 }, other] = body.requests;
  t.is(bodySha256, '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  t.like(headers, {
    'x-api-key': '[redacted]',
    authorization: '[redacted]',
    'user-agent': 'Service-Webhook-Sender/1.0',
    'webhook-id': publicId,
    'x-service-attempt': '1',
  });
  t.regex(headers['x-service-signature-256'], /^sha256=[0-9a-f]{64}$/);
  t.regex(headers['webhook-signature'], /^v1,[A-Za-z0-9+/]{43}=$/);
  t.false('authorization' in other.headers);
});

test('a request keeps its headers when one of its events is deleted', async (t) => {
  const { db, call, at, deliver } = await webhookStage(t);
  const own = await deliver({ status: 'delivered', attemptCount: 1 });
  const other = await deliver({ status: 'delivered', attemptCount: 1 });
  await aSentBatch(db, { deliveryIds: [own.id, other.id], url, secret });
  const read = async () => {
    const { body } = await call(`GET /deliveries/${own.publicId}/requests`, at);
    return body.requests[0];
  };
  const before = await read();
  t.deepEqual(fieldsOf(before.events, 'deliveryId'), [own.publicId, other.publicId]);
  t.is(before.headers['x-service-event-count'], '2');
  const { event_id } = await db('deliveries').where({ id: other.id }).first('event_id');
  await db('attempts').where({ delivery_id: other.id }).delete();
  await db('deliveries').where({ id: other.id }).delete();
  await db('events').where({ id: event_id }).delete();
  t.deepEqual(await read(), { ...before, events: null });
});
