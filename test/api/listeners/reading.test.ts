import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { Webhook } from 'standardwebhooks';
import { createShares } from '../../../process/shares.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { revokeApiKey } from '../../../db/organizations/api-keys.ts';
import { eventually } from '../../harness/eventually.ts';
import { anItem } from '../../harness/deliveries/hot-ledger.ts';
import { idsOf, listenerStage } from '../../harness/listeners/listener-stage.ts';
import { aKey } from '../../harness/tenants.ts';

type Stage = Awaited<ReturnType<typeof listenerStage>>;

async function secretOf({ call, channel, key, workspace }: Stage): Promise<string> {
  const answer = await call(`GET /webhook-config/${channel.publicId}/hmac`, { key, workspace: workspace.publicId });
  return answer.body.hmacSecret;
}

const HEADERS = [
  ...['content-type', 'user-agent', 'webhook-id', 'webhook-signature', 'webhook-timestamp', 'x-service-attempt'],
  ...['x-service-delivery-id', 'x-service-event-id', 'x-service-event-type', 'x-service-signature-256'],
];

test('missed deliveries are read in order and signed like a POST', async (t) => {
  const stage = await listenerStage(t);
  const bodies = ['{"text":"Grüße 👋🏽"}', '{"big":12345678901234567890, "a":1,"a":2}'];
  await stage.accept({ body: Buffer.from(bodies[0]!), sender: '15551230000' });
  await stage.accept({ body: Buffer.from(bodies[1]!), eventType: 'chatapp.message.status' });
  const { status, headers: answerHeaders, body } = await stage.readAll(2);
  t.is(status, 200);
  t.is(answerHeaders.get('cache-control'), 'no-store');
  t.deepEqual(
    body.deliveries.map(({ payload }: { payload: string }) => payload),
    bodies,
  );
  t.is(body.deliveries[0].sender, '15551230000');
  const secret = await secretOf(stage);
  for (const { headers, payload, deliveryId, eventId, eventType, attempt } of body.deliveries) {
    t.deepEqual(Object.keys(headers).toSorted(), HEADERS);
    t.is(attempt, 1);
    t.like(headers, {
      'content-type': 'application/json',
      'user-agent': 'Service-Webhook-Sender/1.0',
      'x-service-delivery-id': deliveryId,
      'x-service-event-id': eventId,
      'x-service-event-type': eventType,
      'x-service-attempt': '1',
      'webhook-id': deliveryId,
    });
    const own = createHmac('sha256', secret).update(payload).digest('hex');
    t.is(headers['x-service-signature-256'], `sha256=${own}`);
    t.notThrows(() => new Webhook(secret).verify(payload, headers));
  }
  t.false(JSON.stringify(body).includes('whsec_'));
});

test('an echo is read with the header that says so', async (t) => {
  const stage = await listenerStage(t);
  await stage.accept({ eventFlags: 'echo' });
  const { body } = await stage.readAll(1);
  t.is(body.deliveries[0].headers['x-service-event-flags'], 'echo');
});

test('deliveries carry both signatures during a secret rotation', async (t) => {
  const stage = await listenerStage(t);
  const { call, key, channel, workspace } = stage;
  const before = await secretOf(stage);
  const rotate = { key, workspace: workspace.publicId, body: { overlapSeconds: 600 } };
  await call(`POST /webhook-config/${channel.publicId}/rotate-hmac`, rotate);
  const now = await secretOf(stage);
  await stage.accept({});
  const { headers, payload } = (await stage.readAll(1)).body.deliveries[0];
  const signatures = [now, before].map((secret) => createHmac('sha256', secret).update(payload).digest('hex'));
  t.is(headers['x-service-signature-256'], signatures.map((hex) => `sha256=${hex}`).join());
  for (const secret of [now, before]) t.notThrows(() => new Webhook(secret).verify(payload, headers));
});

test('a cursor skips read deliveries, which reappear without it', async (t) => {
  const stage = await listenerStage(t);
  const { refused, path, key } = stage;
  t.is((await stage.read()).body.nextCursor, null);
  await stage.accept({}, {}, {});
  await stage.accept({}, {});
  await stage.readAll(5);
  const first = await stage.read('?limit=2');
  const second = await stage.read(`?limit=2&cursor=${first.body.nextCursor}`);
  const third = await stage.read(`?cursor=${second.body.nextCursor}`);
  const ids = [first, second, third].flatMap(idsOf);
  t.is(new Set(ids).size, 5);
  t.deepEqual(idsOf(await stage.read()), ids);
  const end = await stage.read(`?cursor=${third.body.nextCursor}`);
  t.deepEqual(end.body, { deliveries: [], nextCursor: third.body.nextCursor });
  for (const cursor of ['x', '1_wd_1', '999999999999999999_wd_00000000']) {
    await refused('VALIDATION_ERROR', `GET ${path}/deliveries?cursor=${cursor}`, { key });
  }
});

test('a listener gets only its own event types', async (t) => {
  const stage = await listenerStage(t);
  const body = { eventTypes: ['chatapp.message.status'] };
  const made = await stage.call(`POST ${stage.listeners}`, { key: stage.key, body });
  await stage.accept({ eventType: 'chatapp.message.received' }, { eventType: 'chatapp.message.status' });
  const path = `${stage.listeners}/${made.body.listenerId}/deliveries`;
  t.is((await stage.readAll(2)).body.deliveries.length, 2);
  const { deliveries } = (await stage.call(`GET ${path}`, { key: stage.key })).body;
  t.deepEqual(
    deliveries.map(({ eventType }: { eventType: string }) => eventType),
    ['chatapp.message.status'],
  );
});

test('a response is limited in bytes, and the next read continues', async (t) => {
  const stage = await listenerStage(t);
  const large = Buffer.from(`{"text":"${'x'.repeat(400_000)}"}`);
  await stage.accept(...Array.from({ length: 3 }, () => ({ body: large })));
  const first = await stage.readAll(2);
  t.is(first.body.deliveries.length, 2);
  const rest = await stage.readAll(1, `?cursor=${first.body.nextCursor}`);
  t.is(rest.body.deliveries.length, 1);
});

test('a waiting reader returns on a delivery or at its timeout', async (t) => {
  const slots = createShares({ perCredential: 5, perOrganization: 5, inAll: 5 });
  const stage = await listenerStage(t, { shares: { waitingReaders: slots } });
  const waiting = stage.read('?waitSeconds=25');
  await eventually(() => slots.count() === 1);
  await stage.accept({});
  t.is((await waiting).body.deliveries.length, 1);
  await eventually(() => slots.count() === 0);
  const beganMs = performance.now();
  const { body } = await stage.read(`?waitSeconds=1&cursor=${(await stage.read()).body.nextCursor}`);
  t.deepEqual(body.deliveries, []);
  t.true(performance.now() - beganMs >= 990);
});

test('a read returns nothing above an open transaction', async (t) => {
  const slots = createShares({ perCredential: 5, perOrganization: 5, inAll: 5 });
  const stage = await listenerStage(t, { shares: { waitingReaders: slots } });
  await stage.accept({});
  const { nextCursor } = (await stage.readAll(1)).body;
  const late = stage.aPool(1);
  await late.query('begin');
  await acceptItems(late, [anItem({ body: Buffer.from('"slow"') })]);
  await stage.accept({ body: Buffer.from('"quick"') });
  t.deepEqual((await stage.read(`?cursor=${nextCursor}`)).body, { deliveries: [], nextCursor });
  const waiting = stage.read(`?cursor=${nextCursor}&waitSeconds=25`);
  await eventually(() => slots.count() === 1);
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  t.is(slots.count(), 1);
  await late.query('commit');
  const shown = await waiting;
  const all = await stage.readAll(2, `?cursor=${nextCursor}`);
  t.deepEqual(
    all.body.deliveries.map(({ payload }: { payload: string }) => payload),
    ['"slow"', '"quick"'],
  );
  t.is(idsOf(shown)[0], idsOf(all)[0]);
});

test('waiting readers hold no database connections', async (t) => {
  const slots = createShares({ perCredential: 100, perOrganization: 100, inAll: 1_000 });
  const stage = await listenerStage(t, { shares: { waitingReaders: slots } });
  const waiting = Array.from({ length: 60 }, () => stage.read('?waitSeconds=25'));
  await eventually(() => slots.count() === 60);
  const active = async () => {
    const { rows } = await stage.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    );
    return rows.length;
  };
  // One query serves all readers, after those that each of them began with.
  await eventually(async () => (await active()) <= 2);
  await stage.accept({});
  for (const answer of await Promise.all(waiting)) t.is(answer.body.deliveries.length, 1);
});

test("a credential's waiting readers are limited; leaving frees a slot", async (t) => {
  const slots = createShares({ perCredential: 2, perOrganization: 3, inAll: 3 });
  const stage = await listenerStage(t, { shares: { waitingReaders: slots } });
  const client = new AbortController();
  const url = `${stage.url}${stage.path}/deliveries?waitSeconds=25`;
  const open = () =>
    fetch(url, { headers: { authorization: `Bearer ${stage.key}` }, signal: client.signal }).catch(() => undefined);
  const gone = [open(), open()];
  await eventually(() => slots.count() === 2);
  await stage.refused('RATE_LIMITED', `GET ${stage.path}/deliveries?waitSeconds=1`, { key: stage.key });
  t.is((await stage.read()).status, 200, 'a read without waiting takes no slot');
  client.abort();
  await Promise.all(gone);
  await eventually(() => slots.count() === 0);
});

test("the waiting readers of an organization's keys are limited together", async (t) => {
  const slots = createShares({ perCredential: 2, perOrganization: 2, inAll: 10 });
  const stage = await listenerStage(t, { shares: { waitingReaders: slots } });
  const other = await aKey(stage.db, { organization: stage.organization, user: stage.user });
  const waiting = [stage.read('?waitSeconds=25'), stage.read('?waitSeconds=25')];
  await eventually(() => slots.count() === 2);
  await stage.refused('RATE_LIMITED', `GET ${stage.path}/deliveries?waitSeconds=1`, { key: other });
  slots.close();
  await Promise.all(waiting);
});

test('a stopping process answers waiting readers', async (t) => {
  const slots = createShares({ perCredential: 2, perOrganization: 3, inAll: 3 });
  const stage = await listenerStage(t, { shares: { waitingReaders: slots } });
  const waiting = stage.read('?waitSeconds=25');
  await eventually(() => slots.count() === 1);
  slots.close();
  t.deepEqual((await waiting).body.deliveries, []);
  t.deepEqual((await stage.read('?waitSeconds=25')).body.deliveries, []);
});

test('a key revoked during a wait gets no deliveries', async (t) => {
  const slots = createShares({ perCredential: 2, perOrganization: 3, inAll: 3 });
  const stage = await listenerStage(t, { shares: { waitingReaders: slots } });
  const waiting = stage.read('?waitSeconds=25');
  await eventually(() => slots.count() === 1);
  const key = await stage.db('api_keys').where({ organization_id: stage.organization.id }).first('public_id');
  await revokeApiKey(stage.db, { organizationId: stage.organization.id, publicId: key?.public_id });
  await stage.accept({});
  t.is((await waiting).body.code, 'AUTH_REQUIRED');
});

/** Of the readers below. */
const WAIT_MS = 25_000;

test('waiting readers continue after a database outage', async (t) => {
  const beganAtMs = performance.now();
  const slots = createShares({ perCredential: 2, perOrganization: 3, inAll: 3 });
  const stage = await listenerStage(t, { shares: { waitingReaders: slots } });
  const waiting = stage.read(`?waitSeconds=${WAIT_MS / 1_000}`);
  await eventually(() => slots.count() === 1);
  const killer = stage.aPool(1);
  for (let times = 0; times < 3; times++) {
    await killer.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    for (let turn = 0; turn < 50; turn++) await setImmediate();
  }
  await acceptItems(stage.aPool(), [anItem()]);
  const { deliveries } = (await waiting).body;
  // On a busy machine, all of this may take longer than a reader waits.
  if (performance.now() - beganAtMs < WAIT_MS) t.is(deliveries.length, 1);
  else t.is(deliveries.length || (await stage.read('')).body.deliveries.length, 1);
});
