import test from 'ava';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import { retargetDestination } from '../../../db/ledger/destinations/destinations.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { type testApi } from '../../harness/api/api.ts';
import { testSecretBox } from '../../harness/tenants.ts';

const SECRET = 'correct-horse-battery';

async function stage(t: Parameters<typeof testApi>[0]) {
  const api = await webhookStage(t);
  const { key, channel, destinationId } = api;
  const path = `PATCH /channels/${channel.publicId}/destinations`;
  const set = async (change: object) => {
    const { status, body } = await api.call(path, { key, body: { destination: 'webhook', ...change } });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.destinations[0];
  };
  const refuse = (change: object, code: 'VALIDATION_ERROR' | 'WEBHOOK_NOT_SET' | 'SUBSCRIPTION_NOT_FOUND') =>
    api.refused(code, path, { key, body: { destination: 'webhook', ...change } });
  const row = async () => (await api.db('destinations').where({ id: destinationId }).first())!;
  const credentials = async () => {
    const { credentials_encrypted: sealed } = await row();
    return sealed && JSON.parse(testSecretBox.open(sealed, sealedContexts.destinationCredentials(channel.publicId)));
  };
  return { ...api, path, set, refuse, row, credentials };
}

test('a new destination has only defaults', async (t) => {
  const { call, key, channel } = await stage(t);
  const { body } = await call(`GET /channels/${channel.publicId}/destinations`, { key });
  t.like(body.destinations[0], {
    headers: [],
    authentication: { type: 'none', username: null },
    timeoutSeconds: null,
    rate: { requestsPerSecond: null, concurrency: null },
    retrySchedule: 'default',
    debounce: null,
  });
});

test('static headers are merged, sealed and never returned', async (t) => {
  const { set, row, credentials } = await stage(t);
  const first = await set({ headers: { 'X-Api-Key': SECRET, 'x-tenant': 'shop' } });
  t.deepEqual(first.headers, ['x-api-key', 'x-tenant']);
  const second = await set({ headers: { 'x-tenant': null, 'X-Region': 'eu west' } });
  t.deepEqual(second.headers, ['x-api-key', 'x-region']);
  t.deepEqual((await credentials()).headers, { 'x-api-key': SECRET, 'x-region': 'eu west' });
  t.notRegex(JSON.stringify([first, second, await row()]), new RegExp(SECRET));
  t.deepEqual((await set({ headers: { 'x-api-key': null, 'x-region': null } })).headers, []);
  t.like(await row(), { options: null, credentials_encrypted: null });
});

test('authentication shows its user and hides its secret', async (t) => {
  const { set, row, credentials } = await stage(t);
  const basic = { type: 'basic', username: 'héron', password: SECRET };
  t.deepEqual((await set({ authentication: basic })).authentication, { type: 'basic', username: 'héron' });
  const expected = `Basic ${Buffer.from(`héron:${SECRET}`).toString('base64')}`;
  t.is((await credentials()).authorization, expected);
  t.deepEqual((await set({ authentication: { type: 'bearer', token: SECRET } })).authentication, {
    type: 'bearer',
    username: null,
  });
  t.is((await credentials()).authorization, `Bearer ${SECRET}`);
  t.notRegex(JSON.stringify(await row()), new RegExp(SECRET));
  t.is((await set({ authentication: { type: 'none' } })).authentication.type, 'none');
  t.is(await credentials(), null);
});

test('time-out, rate and schedule are set apart and reset', async (t) => {
  const { set } = await stage(t);
  await set({ timeoutSeconds: 30, rate: { requestsPerSecond: 5 } });
  const both = await set({ rate: { concurrency: 2 }, retrySchedule: { steps: [1, 86_400] } });
  t.like(both, { timeoutSeconds: 30, rate: { requestsPerSecond: 5, concurrency: 2 } });
  t.deepEqual(both.retrySchedule, { steps: [1, 86_400] });
  t.is((await set({ retrySchedule: 'patient' })).retrySchedule, 'patient');
  const reset = { timeoutSeconds: null, rate: { requestsPerSecond: null, concurrency: null } };
  t.like(await set({ ...reset, retrySchedule: 'default' }), { ...reset, retrySchedule: 'default' });
});

test('debounce is set as a whole and switched off', async (t) => {
  const { db, set, row } = await stage(t);
  t.deepEqual((await set({ debounce: { seconds: 5 } })).debounce, { seconds: 5, maxEvents: 100 });
  t.deepEqual((await row()).options, { debounce: { seconds: 5 } });
  t.deepEqual((await set({ debounce: { seconds: 60, maxEvents: 2 } })).debounce, { seconds: 60, maxEvents: 2 });
  t.deepEqual((await set({ timeoutSeconds: 3 })).debounce, { seconds: 60, maxEvents: 2 });
  t.is((await set({ debounce: null, timeoutSeconds: null })).debounce, null);
  t.is((await row()).options, null);
  t.is((await db('audit_entries').where({ action: 'destination.debounce_set' })).length, 3);
});

test('each changed option is audited without its values', async (t) => {
  const { db, set } = await stage(t);
  await set({ headers: { 'x-a': SECRET }, authentication: { type: 'none' }, timeoutSeconds: 3, retrySchedule: 'fast' });
  await set({ rate: { concurrency: 1 }, ordering: 'none' });
  const audited = await db('audit_entries').where('action', 'like', 'destination.%').orderBy('id').select();
  t.deepEqual(fieldsOf(audited, 'action'), [
    ...['destination.headers_set', 'destination.authentication_set', 'destination.timeout_set'],
    ...['destination.retry_schedule_set', 'destination.ordered', 'destination.rate_set'],
  ]);
  t.notRegex(JSON.stringify(audited), new RegExp(SECRET));
});

const forbidden = [
  ...['Host', 'content-length', 'Content-Type', 'transfer-encoding', 'connection', 'user-agent', 'cookie', 'te'],
  ...['x-service-signature-256', 'X-Service-Anything', 'webhook-signature', 'traceparent', 'x-forwarded-for'],
  ...['X_Service_Signature_256', 'x_tenant', 'x.service.signature.256', 'webhook_signature', 'x-service_id', 'x~a'],
  ...['proxy-authorization', 'upgrade', 'x-hub-signature-256', 'bad name', 'späße', '', 'x'.repeat(101)],
];
test('headers of the connection and signatures are refused', async (t) => {
  const { refuse } = await stage(t);
  for (const name of forbidden) await refuse({ headers: { [name]: 'value' } }, 'VALIDATION_ERROR');
  t.pass();
});

test('values and bounds of headers are checked', async (t) => {
  const { refuse, set } = await stage(t);
  for (const value of ['', 'a\r\nx-b: 1', ' padded', 'ä', 'x'.repeat(4_097), 7])
    await refuse({ headers: { 'x-a': value } }, 'VALIDATION_ERROR');
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`x-${number}`, value]));
  await refuse({ headers: many(21, 'a') }, 'VALIDATION_ERROR');
  t.is((await set({ headers: many(20, 'a') })).headers.length, 20);
  await refuse({ headers: { 'x-one-more': 'a' } }, 'VALIDATION_ERROR');
  await refuse({ headers: many(3, 'x'.repeat(1_400)) }, 'VALIDATION_ERROR');
});

test('an Authorization header excludes authentication', async (t) => {
  const { refuse, set } = await stage(t);
  const bearer = { type: 'bearer', token: SECRET };
  await refuse({ headers: { Authorization: 'Token a' }, authentication: bearer }, 'VALIDATION_ERROR');
  t.deepEqual((await set({ headers: { Authorization: 'Token a' } })).headers, ['authorization']);
  await refuse({ authentication: bearer }, 'VALIDATION_ERROR');
  t.is((await set({ headers: { authorization: null }, authentication: bearer })).authentication.type, 'bearer');
});

test('unknown fields and values out of bounds are refused', async (t) => {
  const { refuse } = await stage(t);
  const wrong = [
    ...[{ timeoutSeconds: 0 }, { timeoutSeconds: 31 }, { timeoutSeconds: 1.5 }, { rate: { requestsPerSecond: 0 } }],
    ...[{ rate: { requestsPerSecond: 1_001 } }, { rate: { concurrency: 101 } }, { rate: { burst: 1 } }, { rate: null }],
    ...[{ retrySchedule: 'slow' }, { retrySchedule: { steps: [] } }, { retrySchedule: { steps: [0] } }],
    ...[{ retrySchedule: { steps: [86_401] } }, { retrySchedule: { steps: Array(21).fill(1) } }],
    ...[{ retrySchedule: { steps: Array(8).fill(86_400) } }, { retrySchedule: { steps: [1], jitter: 0 } }],
    ...[{ authentication: { type: 'digest' } }, { authentication: { type: 'basic', username: 'a:b', password: '' } }],
    ...[{ authentication: { type: 'bearer', token: 'a b' } }, { authentication: { type: 'none', token: 'a' } }],
    ...[{}, { headers: null }, { debounceAll: true }, { debounce: {} }, { debounce: { maxEvents: 2 } }],
    ...[{ debounce: { seconds: 0 } }, { debounce: { seconds: 61 } }, { debounce: { seconds: 1, maxEvents: 1 } }],
    ...[{ debounce: { seconds: 1.5 } }, { debounce: { seconds: 1, maxEvents: 101 } }, { debounce: 5 }],
  ];
  for (const change of wrong) await refuse(change, 'VALIDATION_ERROR');
  t.pass();
});

test('a missing destination is refused', async (t) => {
  const { db, refuse, channel } = await stage(t);
  await refuse({ destination: 'sub_00000000', timeoutSeconds: 5 }, 'SUBSCRIPTION_NOT_FOUND');
  await db('webhook_configs').where({ channel_id: channel.id }).update({ destination_id: null });
  for (const change of [{ timeoutSeconds: 5 }, { ordering: 'none' }]) await refuse(change, 'WEBHOOK_NOT_SET');
  t.pass();
});

test('secrets stay with the origin that they were given to', async (t) => {
  const { db, destinationId, set, row, credentials } = await stage(t);
  const before = new URL((await row()).url);
  await set({ headers: { 'x-a': SECRET }, authentication: { type: 'bearer', token: SECRET }, timeoutSeconds: 4 });

  await retargetDestination(db, { id: destinationId, url: `${before.origin}/other/path` });
  t.is((await credentials()).authorization, `Bearer ${SECRET}`);

  await retargetDestination(db, { id: destinationId, url: 'https://elsewhere.example.net/hook' });
  t.like(await row(), { credentials_encrypted: null, options: { timeoutSeconds: 4 } });
});
