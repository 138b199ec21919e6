import { createHash, createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { request } from 'undici';
import { startPlatform } from '../../simulator/platform.ts';
import { startReceiver } from '../../simulator/receiver/receiver.ts';
import type { ReceivedRequest } from '../../simulator/receiver/scripted-webhook.ts';

const appSecret = 'app secret';

/** Posts to a scripted webhook in place of the service. */
async function platformFor(t: ExecutionContext) {
  const receiver = await startReceiver({ port: 0 });
  const service = receiver.webhook('service');
  const retries = { count: 5, firstDelayMs: 1 };
  const platform = await startPlatform({ port: 0, appSecret, webhookUrl: service.url, verifyToken: 'v', retries });
  t.teardown(async () => {
    await platform.stop();
    await receiver.stop();
  });
  const post = async (path: string, body: string | Buffer) => {
    const answer = await request(platform.url + path, { method: 'POST', body });
    return { status: answer.statusCode, body: await answer.body.text() };
  };
  return { ...platform, service, post };
}

const bodyOf = (received: ReceivedRequest | undefined) => Buffer.from(received?.bodyBase64 ?? '', 'base64');

test('a webhook is signed over its raw bytes', async (t) => {
  const { post, service } = await platformFor(t);
  const event = { product: 'chatapp', kind: 'message', resourceId: '77', text: 'Grüße 🙂' };
  const { status, body } = await post('/control/events', JSON.stringify(event));
  t.is(status, 200);

  const [received] = service.requests();
  const bytes = bodyOf(received);
  const digest = createHmac('sha256', appSecret).update(bytes).digest('hex');
  t.is(received?.headers['x-hub-signature-256'], `sha256=${digest}`);
  t.true(bytes.toString('utf8').includes('Gr\\u00fc\\u00dfe'));

  const [sent] = JSON.parse(body).sent;
  t.like(sent, { status: 200, attemptCount: 1, error: null, bodySha256: received?.sha256 });
  t.is(JSON.parse(bytes.toString()).entry[0].changes[0].value.messages[0].id, sent.platformMessageIds[0]);
});

test('every kind of every product is sent, and so are unknown kinds', async (t) => {
  const { send, service } = await platformFor(t);
  const kinds = {
    chatapp: ['message', 'status', 'account_update'],
    photoapp: ['message', 'reaction', 'read', 'postback', 'comment', 'mentions', 'constructor'],
    pageapp: ['message', 'reaction', 'read', 'delivery', 'postback', 'comment', 'post', 'mention'],
  } as const;
  for (const product of ['chatapp', 'photoapp', 'pageapp'] as const) {
    for (const kind of kinds[product]) {
      service.clear();
      const [sent] = await send({ product, kind, resourceId: '77' });
      t.is(sent?.status, 200);
      t.is(JSON.parse(bodyOf(service.requests()[0]).toString()).object, product);
    }
  }
});

test('several senders take turns, in order', async (t) => {
  const { send, service } = await platformFor(t);
  await send({ product: 'chatapp', kind: 'message', resourceId: '77', from: ['1', '2'], count: 4 });
  const messages = service.requests().map((each) => JSON.parse(bodyOf(each).toString()).entry[0].changes[0].value);
  t.deepEqual(
    messages.map(({ messages: [{ from, text }] }) => `${from} ${text.body.slice(-2)}`),
    ['1 #1', '2 #2', '1 #3', '2 #4'],
  );
});

test('a duplicate repeats the same bytes', async (t) => {
  const { send, service } = await platformFor(t);
  const sent = await send({ product: 'chatapp', kind: 'message', resourceId: '77', duplicate: true });
  t.is(sent.length, 2);
  const [first, second] = service.requests();
  t.is(first?.sha256, second?.sha256);
});

test('raw bytes are signed and sent unchanged', async (t) => {
  const { sendRaw, service } = await platformFor(t);
  const bytes = Buffer.from('{ "n":12345678901234567890, "n":"🙂\\u00e9\\/" }\n');
  t.is((await sendRaw(bytes)).bodySha256, createHash('sha256').update(bytes).digest('hex'));
  t.deepEqual(bodyOf(service.requests()[0]), bytes);
});

test('a webhook that is not answered 200 is retried unchanged', async (t) => {
  const { send, service } = await platformFor(t);
  service.set({ answers: [{ status: 503 }, { mode: 'reset' }, { status: 202 }] });
  const [sent] = await send({ product: 'chatapp', kind: 'message', resourceId: '77' });
  t.like(sent, { status: 200, attemptCount: 4 });
  t.is(new Set(service.requests().map(({ sha256 }) => sha256)).size, 1);
});

test('retries stop at their maximum', async (t) => {
  const { send, service } = await platformFor(t);
  service.set({ then: { status: 500 } });
  const [sent] = await send({ product: 'chatapp', kind: 'message', resourceId: '77' });
  t.like(sent, { status: 500, attemptCount: 6 });
});

test('a refused connection is reported without a status', async (t) => {
  const gone = await startReceiver({ port: 0 });
  await gone.stop();
  const retries = { count: 1, firstDelayMs: 1 };
  const platform = await startPlatform({ port: 0, appSecret, webhookUrl: `${gone.url}/webhook/a`, retries });
  t.teardown(() => platform.stop());
  const [sent] = await platform.send({ product: 'chatapp', kind: 'message', resourceId: '77' });
  t.like(sent, { status: null, attemptCount: 2 });
  t.regex(sent?.error ?? '', /ECONNREFUSED/);
});

test('the handshake carries the verify token and a challenge', async (t) => {
  const { sendHandshake, service } = await platformFor(t);
  const { status, challenge } = await sendHandshake();
  t.is(status, 403);
  const query = new URL(service.requests()[0]?.path ?? '', service.url).searchParams;
  t.is(query.get('hub.mode'), 'subscribe');
  t.is(query.get('hub.verify_token'), 'v');
  t.is(query.get('hub.challenge'), challenge);
});

test('an invalid event is refused with all problems', async (t) => {
  const { post } = await platformFor(t);
  const { status, body } = await post('/control/events', JSON.stringify({ product: 'fax', kind: 'message', cuont: 2 }));
  t.is(status, 400);
  for (const part of ['product', 'resourceId', 'cuont']) t.true(body.includes(part));
});

test("a number's webhook and status name its business account as the entry", async (t) => {
  const { send, consent, service } = await platformFor(t);
  const businessId = '400000000000077';
  consent({ numbers: [{ id: '100000000000077', businessId, number: '+1 555 010 0077', name: 'Seventh' }] });
  for (const kind of ['message', 'status', 'account_update']) {
    await send({ product: 'chatapp', kind, resourceId: '100000000000077' });
  }
  const entries = service.requests().map((each) => JSON.parse(bodyOf(each).toString()).entry[0].id);
  t.deepEqual(entries, [businessId, businessId, businessId]);
});
