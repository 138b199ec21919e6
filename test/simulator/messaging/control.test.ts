import { createHmac } from 'node:crypto';
import test from 'ava';
import { eventually } from '../../harness/eventually.ts';
import { refusal } from '../api-server.ts';
import { appSecret, messagingFor, number, page, person, photoAccount } from './client.ts';

const text = { text: { body: 'Hello' } };
const hello = { recipient: { id: '24680' }, message: { text: 'Hello' } };
const usageOf = (headers: Readonly<Record<string, unknown>>) => ({
  app: JSON.parse(String(headers['x-app-usage'])),
  business: JSON.parse(String(headers['x-business-use-case-usage'])),
});

test("a scripted refusal is repeated `times`, with the code's status", async (t) => {
  const { send, direct, control, sent, webhooksOf } = await messagingFor(t);
  control({ faults: [{ at: 'send', code: 131042, times: 2 }] });
  t.deepEqual(refusal(await send(text)), [400, 131042, undefined]);
  t.deepEqual(refusal(await direct(page, hello)), [400, 131042, undefined]);
  t.is((await send(text)).status, 200);
  control({ faults: [{ at: 'send', code: 10, subcode: 7, status: 418, message: 'No', isTransient: true, times: 1 }] });
  const { status, body } = await send(text);
  t.is(status, 418);
  t.like(body.error, { code: 10, error_subcode: 7, message: 'No', is_transient: true });
  t.is(sent().length, 1);
  t.is((await webhooksOf(3)).length, 3);
});

test('each chatapp code has its status', async (t) => {
  const { send, control } = await messagingFor(t);
  const statuses = {
    190: 401,
    10: 403,
    100: 400,
    130429: 429,
    131056: 429,
    80007: 429,
    131000: 500,
    131016: 503,
    2: 503,
  };
  for (const [code, status] of Object.entries(statuses)) {
    control({ faults: [{ at: 'send', code: Number(code), times: 1 }] });
    t.is((await send(text)).status, status, code);
  }
});

test('a fault affects only the calls that match', async (t) => {
  const { send, control } = await messagingFor(t);
  const match = { account: number, to: '15551230002', type: 'image' };
  control({ faults: [{ at: 'send', match, code: 1 }] });
  const image = { type: 'image', image: { link: 'https://media.example/a.jpg' }, to: match.to };
  t.is((await send(image)).body.error.code, 1);
  t.is((await send({ ...image, to: person })).status, 200);
  t.is((await send({ ...text, to: match.to })).status, 200);
  t.is((await send(image, '100000000000011')).status, 200);
});

test('a lost send leaves a message only if lost after its effect', async (t) => {
  const { send, control, sent, counts, webhooksOf } = await messagingFor(t);
  control({ faults: [{ at: 'send', lost: 'before', times: 1 }] });
  await t.throwsAsync(send(text));
  t.is(sent().length, 0);
  control({ faults: [{ at: 'send', lost: 'after', times: 1 }] });
  await t.throwsAsync(send(text));
  t.is(sent().length, 1);
  t.is((await webhooksOf(3)).length, 3);
  t.like(counts(), { lost: 2, calls: { send: 2 } });
});

test('a 5xx has an effect only with afterEffect', async (t) => {
  const { send, direct, control, sent } = await messagingFor(t);
  control({ faults: [{ at: 'send', httpStatus: 503, times: 1 }] });
  t.deepEqual(refusal(await send(text)), [503, 2, undefined]);
  t.is(sent().length, 0);
  control({ faults: [{ at: 'send', httpStatus: 500, afterEffect: true, times: 1 }] });
  t.is((await direct(photoAccount, hello)).status, 500);
  t.is(sent().length, 1);
});

test('a delay precedes a refusal', async (t) => {
  const { send, control, sent, counts } = await messagingFor(t);
  control({ faults: [{ at: 'send', delayMs: 30, code: 1, times: 1 }] });
  const startedAtMs = performance.now();
  t.is((await send(text)).body.error.code, 1);
  t.true(performance.now() - startedAtMs >= 29);
  t.is(sent().length, 0);
  t.like(counts(), { answered: 0, refused: 1, lost: 0 });
});

test('a wrong body lacks the id of the accepted message', async (t) => {
  const { send, control, sent } = await messagingFor(t);
  control({ faults: [{ at: 'send', wrongBody: true, times: 1 }] });
  const { status, body } = await send(text);
  t.is(status, 200);
  t.deepEqual(body, { success: true });
  t.is(sent().length, 1);
});

test('a message with failsLater is accepted and its only status fails', async (t) => {
  const { send, control, counts, webhooksOf } = await messagingFor(t);
  const failsLater = { code: 131026, message: 'Message undeliverable', details: 'Gone' };
  control({ faults: [{ at: 'send', failsLater, times: 1 }] });
  t.is((await send(text)).status, 200);
  const [webhook] = await webhooksOf(1);
  const [status] = webhook.entry[0].changes[0].value.statuses;
  t.is(status.status, 'failed');
  t.like(status.errors[0], { code: 131026, title: 'Message undeliverable', error_data: { details: 'Gone' } });
  await eventually(() => counts().webhooks.posted === 1);
  t.is((await webhooksOf(1)).length, 1);
});

test('a dead token is refused everywhere, and others work', async (t) => {
  const { call, direct, control } = await messagingFor(t);
  control({ deadTokens: ['token'] });
  t.deepEqual(refusal(await call('GET', `/v22.0/${number}`)), [401, 190, 463]);
  t.deepEqual(refusal(await direct(page, hello)), [400, 190, 463]);
  const headers = { authorization: 'Bearer other' };
  t.is((await call('GET', `/v22.0/${number}`, { headers })).status, 200);
  t.deepEqual(refusal(await call('GET', `/v22.0/${number}`, { headers: { authorization: '' } })), [
    401,
    190,
    undefined,
  ]);
});

test('a proof of the app secret is optional and checked', async (t) => {
  const { call } = await messagingFor(t);
  const proof = createHmac('sha256', appSecret).update('token').digest('hex');
  t.is((await call('GET', `/v22.0/${number}?appsecret_proof=${proof}`)).status, 200);
  t.deepEqual(refusal(await call('GET', `/v22.0/${number}?appsecret_proof=00`)), [400, 100, undefined]);
});

test('limits throttle sends and fill the usage headers', async (t) => {
  const { send, direct, control, clock, sent } = await messagingFor(t);
  control({ limits: { perSecond: 1, pairMs: 6_000 }, usage: { callCount: 28, regainAccessMinutes: 5 } });
  const first = usageOf((await send(text)).headers);
  t.deepEqual(first.app, { call_count: 28, total_cputime: 0, total_time: 0 });
  t.like(first.business['400000000000002'][0], {
    type: 'whatsapp',
    call_count: 28,
    estimated_time_to_regain_access: 5,
  });
  const throttled = await send({ ...text, to: '15551230002' });
  t.deepEqual(refusal(throttled), [429, 130429, undefined]);
  t.is(usageOf(throttled.headers).app.call_count, 100);
  clock.nowMs += 1_000;
  t.deepEqual(refusal(await send(text)), [429, 131056, undefined]);
  clock.nowMs += 5_000;
  t.is((await send(text)).status, 200);
  t.is((await direct(page, hello)).status, 200);
  const limited = await direct(page, hello);
  t.deepEqual(refusal(limited), [400, 613, undefined]);
  t.is(usageOf(limited.headers).business[page][0].type, 'messenger');
  t.is(sent().length, 3);
});

test('every webhook of a send can be disabled', async (t) => {
  const { send, direct, control, counts } = await messagingFor(t);
  control({ webhooks: { sentMs: null, readMs: null, echoMs: null } });
  await send(text);
  await direct(page, hello);
  await eventually(() => counts().webhooks.posted === 1);
  control({ webhooks: { deliveredMs: null, sentMs: 0 } });
  await send(text);
  await eventually(() => counts().webhooks.posted === 2);
  t.is(counts().webhooks.failed, 0);
});

test('the control shows sent messages and forgets them', async (t) => {
  const { send, upload, call, json, service } = await messagingFor(t);
  const set = { clockOffsetSeconds: 60, webhooks: { sentMs: 60_000, deliveredMs: null, readMs: null }, windows: false };
  t.like((await json('/control/messaging', set)).body, { now: '2030-01-01T00:01:00.000Z', settings: set });
  const { id } = (await send({ ...text, access_token: 'token' })).body.messages[0];
  const file = new File(['hello'], 'a.txt', { type: 'text/plain' });
  await upload({ messaging_product: 'chatapp', file });
  const { body } = await call('GET', '/control/messaging');
  t.like(body.sent[0], { id, account: number, to: person });
  t.false(JSON.stringify(body).includes('access_token'));
  t.like(body.files[0], { account: number, mimeType: 'text/plain', sizeBytes: 5 });
  t.deepEqual(body.counts.calls, { send: 1, upload: 1 });

  const cleared = await call('DELETE', '/control/messaging');
  t.is(cleared.body.settings.clockOffsetSeconds, 0);
  t.like((await call('GET', '/control/messaging')).body, {
    sent: { length: 0 },
    files: { length: 0 },
    counts: { answered: 0 },
  });
  t.is(service.requests().length, 0);
});

test('a misspelled or contradictory control is refused', async (t) => {
  const { json, control } = await messagingFor(t);
  for (const wrong of [
    { window: true },
    { faults: [{ at: 'send' }] },
    { faults: [{ at: 'send', code: 1, lost: 'before' }] },
    { faults: [{ at: 'send', delayMs: 1, status: 400 }] },
    { faults: [{ at: 'upload', failsLater: { code: 1 } }] },
    { faults: [{ at: 'send', lost: 'after', afterEffect: true }] },
    { faults: [{ at: 'nowhere', code: 1 }] },
  ]) {
    t.is((await json('/control/messaging', wrong)).status, 400, JSON.stringify(wrong));
  }
  t.throws(() => control({ faults: [{ at: 'send' }] }));
});

test('every other operation can fail too', async (t) => {
  const { call, upload, json, control } = await messagingFor(t);
  const file = new File(['hello'], 'a.txt', { type: 'text/plain' });
  const { id } = (await upload({ messaging_product: 'chatapp', file })).body;
  const { url } = (await call('GET', `/v22.0/${id}`)).body;
  const calls = {
    action: () =>
      json(`/v22.0/${number}/messages`, { messaging_product: 'chatapp', status: 'read', message_id: 'wamid.1' }),
    upload: () => upload({ messaging_product: 'chatapp', file }),
    media: () => call('GET', `/v22.0/${id}`),
    download: () => call('GET', url),
    templates: () => call('GET', '/v22.0/400000000000002/message_templates'),
    number: () => call('GET', `/v22.0/${number}`),
    profile: () => call('GET', `/v22.0/${number}/whatsapp_business_profile`),
    deleteMedia: () => call('DELETE', `/v22.0/${id}`),
  };
  for (const at of [
    'action',
    'upload',
    'media',
    'download',
    'templates',
    'number',
    'profile',
    'deleteMedia',
  ] as const) {
    control({ faults: [{ at, code: 4, times: 1 }] });
    t.deepEqual(refusal(await calls[at]()), [429, 4, undefined], at);
    t.is((await calls[at]()).status, 200, at);
  }
});
