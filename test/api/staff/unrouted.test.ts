import test, { type ExecutionContext } from 'ava';
import { testApi } from '../../harness/api/api.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { loseBodyKey, unroutedEvents } from '../../harness/api/unrouted.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

async function unroutedFor(t: ExecutionContext) {
  const unrouted = unroutedEvents(t);
  const accepting: { poison?: string } = {};
  const api = await testApi(t, {
    acceptEvents: async (body) => {
      if (accepting.poison !== undefined && body.includes(accepting.poison)) throw dataError();
      return await unrouted.acceptEvents(body);
    },
  });
  const { token: key } = await aStaffKey(api.db);
  const tenant = await aTenant(api.db);
  const channel = await aChannel(api.db, tenant.workspace);
  await aWebhook(api.db, channel);
  const arrive = (...nonces: string[]) => unrouted.arrive(api, channel, nonces);
  const connect = () => api.db('channels').where({ id: channel.id }).update({ disconnected_at: null });
  const route = `POST /staff/channels/${channel.publicId}/unrouted-events/send`;
  const send = async (more: object = {}) =>
    (await api.call(route, { key, body: { reason: 'Ticket 9', ...more } })).body;
  const accepted = async () =>
    (await api.db('events').orderBy('id')).map(({ platform_message_id: id }: { platform_message_id: string }) => id);
  return { ...api, ...tenant, key, channel, arrive, connect, route, send, accepted, accepting };
}

const dataError = () => Object.assign(new Error('invalid byte sequence'), { code: '22021' });

test('unrouted events are sent on in order, each once', async (t) => {
  const { db, call, key, channel, arrive, connect, send, accepted } = await unroutedFor(t);
  await arrive('a', 'b', 'c');
  await connect();
  const stored = await db('unrouted_events').orderBy('id').select('id', 'body', 'body_key_id');
  t.like(await send({ limit: 2 }), { channelId: channel.publicId, sentCount: 2, skippedCount: 0, hasMore: true });
  t.like(await send(), { sentCount: 1, skippedCount: 0, hasMore: false, nextCursor: null });
  t.deepEqual(await accepted(), ['test-a', 'test-b', 'test-c']);
  t.is((await db('deliveries')).length, 3);
  t.is((await send()).sentCount, 0);
  for (const { id, ...unsent } of stored)
    await db('unrouted_events')
      .where({ id })
      .update({ ...unsent, sent_at: null });
  t.is((await send()).sentCount, 3, 'known events are marked again');
  t.is((await accepted()).length, 3, 'but accepted once');
  const { events } = (await call('GET /staff/unrouted-events?reason=Call', { key })).body;
  t.true(events.every(({ sentAt }: { sentAt: string | null }) => sentAt !== null));
});

test('events that cannot be read or accepted are skipped and kept', async (t) => {
  const { db, arrive, connect, send, accepted, accepting } = await unroutedFor(t);
  await arrive('a', 'b', 'c', 'd');
  await connect();
  const rows = await db('unrouted_events').orderBy('id').select('id', 'body', 'body_key_id');
  const [unreadable, malformed] = rows;
  await db('unrouted_events').where({ id: unreadable.id }).update({ body_key_id: 'lost' });
  await db('unrouted_events')
    .where({ id: malformed.id })
    .update({ body: Buffer.from('{}') });
  accepting.poison = 'test-c';
  t.like(await send(), { sentCount: 1, skippedCount: 3, hasMore: false, nextCursor: null });
  t.deepEqual(await accepted(), ['test-d']);
  for (const { id, ...row } of [unreadable, malformed]) await db('unrouted_events').where({ id }).update(row);
  delete accepting.poison;
  t.like(await send(), { sentCount: 3, skippedCount: 0, hasMore: false });
  t.deepEqual(await accepted(), ['test-d', 'test-a', 'test-b', 'test-c']);
});

test('a cursor leads past skipped events', async (t) => {
  const { db, arrive, connect, send, accepted } = await unroutedFor(t);
  const nonces = Array.from({ length: 25 }, (_, index) => `n${index}`);
  await arrive(...nonces);
  await connect();
  await loseBodyKey(db, 12);
  const first = await send({ limit: 12 });
  t.like(first, { sentCount: 0, skippedCount: 12, hasMore: true });
  t.like(await send({ limit: 12, cursor: first.nextCursor }), { sentCount: 12, skippedCount: 0, hasMore: true });
  t.like(await send(), { sentCount: 1, skippedCount: 12, hasMore: false });
  t.deepEqual(
    await accepted(),
    nonces.slice(12).map((nonce) => `test-${nonce}`),
  );
});

test('unrouted events that were sent on keep their size but no body', async (t) => {
  const { db, call, key, arrive, connect, send } = await unroutedFor(t);
  await arrive('canary7f3e');
  const list = async () => (await call('GET /staff/unrouted-events?reason=Call', { key })).body.events;
  const [{ sizeBytes }] = await list();
  t.true(sizeBytes > 0);
  await connect();
  t.is((await send()).sentCount, 1);
  t.like(await db('unrouted_events').first(), { body: Buffer.alloc(0), body_key_id: null });
  t.like(await list(), [{ sizeBytes }]);
});

test('sending on is refused for a disconnected channel and audited otherwise', async (t) => {
  const { db, refused, key, apiKey, organization, channel, arrive, connect, route, send } = await unroutedFor(t);
  await arrive('a');
  const body = { reason: 'Ticket 9' };
  await refused('CHANNEL_DISCONNECTED', route, { key, body });
  await refused('FORBIDDEN', route, { key: apiKey, body });
  await refused('VALIDATION_ERROR', route, { key, body: {} });
  await refused('VALIDATION_ERROR', route, { key, body: { ...body, limit: 501 } });
  await refused('VALIDATION_ERROR', route, { key, body: { ...body, cursor: 'x' } });
  await refused('VALIDATION_ERROR', route, { key, body: { ...body, all: true } });
  await refused('CHANNEL_NOT_FOUND', route.replace(channel.publicId, 'ch_00000000'), { key, body });
  t.is((await db('audit_entries').where({ action: 'unroutedEvent.sent' })).length, 0);
  await connect();
  await send();
  const entry = await db('audit_entries').where({ action: 'unroutedEvent.sent' }).first();
  t.like(entry, { organization_id: organization.id, target_id: channel.publicId, actor_type: 'staff', reason: 'Ticket 9' }); // prettier-ignore
});
