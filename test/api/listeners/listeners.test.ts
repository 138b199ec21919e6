import test from 'ava';
import { MAX_LISTENERS } from '../../../contract/listeners/bounds.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { listenerStage } from '../../harness/listeners/listener-stage.ts';
import { aChannel } from '../../harness/tenants.ts';

test('a listener is created, shown, listed and deleted', async (t) => {
  const { call, refused, key, listeners, channel, db } = await listenerStage(t);
  const body = { eventTypes: ['chatapp.message.received', 'chatapp.other.received', 'chatapp.message.received'] };
  const made = await call(`POST ${listeners}`, { key, body });
  t.is(made.status, 201);
  t.like(made.body, { channelId: channel.publicId, label: null, lastReadAt: null });
  t.deepEqual(made.body.eventTypes, ['chatapp.message.received', 'chatapp.other.received']);
  t.is(Date.parse(made.body.expiresAt) - Date.parse(made.body.createdAt), 7 * 86_400_000);
  const path = `${listeners}/${made.body.listenerId}`;
  t.deepEqual((await call(`GET ${path}`, { key })).body, made.body);
  const list = await call(`GET ${listeners}?limit=1`, { key });
  t.deepEqual(list.body.listeners, [made.body]);
  const rest = await call(`GET ${listeners}?limit=1&cursor=${list.body.nextCursor}`, { key });
  t.like(rest.body, { listeners: { 0: { label: 'mine', eventTypes: null }, length: 1 }, nextCursor: null });

  t.is((await call(`DELETE ${path}`, { key })).status, 204);
  for (const route of [`GET ${path}`, `DELETE ${path}`, `GET ${path}/deliveries`]) {
    await refused('LISTENER_NOT_FOUND', route, { key });
  }
  const actions: string[] = await db('audit_entries').where({ target_id: made.body.listenerId }).orderBy('id').pluck('action'); // prettier-ignore
  t.deepEqual(actions, ['listener.created', 'listener.deleted']);
});

test("a read is recorded and extends the listener's lifetime", async (t) => {
  const { call, read, path, key, db } = await listenerStage(t);
  await db('listeners').update({ created_at: new Date(Date.now() - 3 * 86_400_000) });
  await read();
  const { body } = await call(`GET ${path}`, { key });
  t.true(Math.abs(Date.parse(body.lastReadAt) - Date.now()) < 600_000);
  t.is(Date.parse(body.expiresAt) - Date.parse(body.lastReadAt), 7 * 86_400_000);
});

test('an invalid event type or label is refused', async (t) => {
  const { refused, key, listeners } = await listenerStage(t);
  for (const body of [{ eventTypes: ['photoapp.comment.received'] }, { eventTypes: [] }, { label: 'a\u0000b' }]) {
    await refused('VALIDATION_ERROR', `POST ${listeners}`, { key, body });
  }
});

test("a channel's listeners are limited; a deletion frees a slot", async (t) => {
  const { call, refused, key, listeners, path, db } = await listenerStage(t);
  for (let count = 1; count < MAX_LISTENERS - 1; count++) await call(`POST ${listeners}`, { key });
  const last = await Promise.all(Array.from({ length: 4 }, () => call(`POST ${listeners}`, { key })));
  t.deepEqual(fieldsOf(last, 'status').toSorted(), [201, 400, 400, 400], 'concurrent creates are counted in turn');
  await refused('VALIDATION_ERROR', `POST ${listeners}`, { key });
  await call(`DELETE ${path}`, { key });
  t.is((await call(`POST ${listeners}`, { key })).status, 201);
  t.is((await db('destinations').whereNull('deleted_at')).length, MAX_LISTENERS);
});

test('an idempotency key creates one listener and refuses another body', async (t) => {
  const { call, refused, key, listeners } = await listenerStage(t);
  const headers = { 'idempotency-key': 'my computer' };
  const body = { label: 'one' };
  const made = await Promise.all([1, 2, 3].map(() => call(`POST ${listeners}`, { key, headers, body })));
  t.is(new Set(made.map(({ body: { listenerId } }) => listenerId)).size, 1);
  await refused('IDEMPOTENCY_KEY_REUSED', `POST ${listeners}`, { key, headers, body: { label: 'two' } });
  await call(`DELETE ${listeners}/${made[0]!.body.listenerId}`, { key });
  const anew = await call(`POST ${listeners}`, { key, headers, body: { label: 'two' } });
  t.is(anew.status, 201);
  t.not(anew.body.listenerId, made[0]!.body.listenerId);
});

test('a listener of another channel is not found', async (t) => {
  const { db, refused, key, workspace, listenerId } = await listenerStage(t);
  const neighbor = await aChannel(db, workspace);
  for (const rest of ['', '/deliveries']) {
    await refused('LISTENER_NOT_FOUND', `GET /channels/${neighbor.publicId}/listeners/${listenerId}${rest}`, { key });
  }
});
