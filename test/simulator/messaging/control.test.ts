import test from 'ava';
import { eventually } from '../../harness/eventually.ts';
import { refusal } from '../api-server.ts';
import { messagingFor, number, page, person } from './client.ts';

const text = { text: { body: 'Hello' } };
const hello = { recipient: { id: '24680' }, message: { text: 'Hello' } };
const usageOf = (headers: Readonly<Record<string, unknown>>) => ({
  app: JSON.parse(String(headers['x-app-usage'])),
  business: JSON.parse(String(headers['x-business-use-case-usage'])),
});

test('a scripted refusal can be transient', async (t) => {
  const { send, control } = await messagingFor(t);
  control({ faults: [{ at: 'send', code: 10, isTransient: true }] });
  t.like((await send(text)).body.error, { code: 10, is_transient: true });
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

test('a dead or missing token of a number is refused with 401', async (t) => {
  const { call, control } = await messagingFor(t);
  control({ deadTokens: ['token'] });
  const read = (headers = {}) => call('GET', `/v22.0/${number}`, { headers });
  t.deepEqual(refusal(await read()), [401, 190, 463]);
  t.is((await read({ authorization: 'Bearer other' })).status, 200);
  t.deepEqual(refusal(await read({ authorization: '' })), [401, 190, undefined]);
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

test('a late failure is scripted for sends only', async (t) => {
  const { json } = await messagingFor(t);
  const wrong = { faults: [{ at: 'upload', failsLater: { code: 1 } }] };
  t.is((await json('/control/messaging', wrong)).status, 400);
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
