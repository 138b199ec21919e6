import test, { type ExecutionContext } from 'ava';
import { erasuresOf } from '../../harness/erasures.ts';
import type { Knex } from 'knex';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { restartDelivery } from '../../../db/ledger/restart-delivery.ts';
import { packRequest } from '../../../db/deliveries/pack-request.ts';
import { settleAccepted } from '../../../db/ledger/settle-accepted.ts';
import { eraseSlice } from '../../../db/erasures/erase-slice.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { refusal } from '../../harness/deliveries/failing-ledger.ts';
import {
  accepted,
  anItem,
  aWebhookDestination,
  hotLedger,
  acceptedItems,
  items,
} from '../../harness/deliveries/hot-ledger.ts';
import { tablesWith } from '../../harness/database/tables-with.ts';

const CANARY = 'canary7f3e';
const SENDER = `${CANARY}-sender`;

const digest = Buffer.alloc(32, CANARY);
const sentRequest = packRequest({
  url: `https://example.com/${CANARY}-url`,
  atSeconds: 1,
  bodySha256: digest,
  signatures: [{ service: digest, standard: digest }],
  redactedHeaders: [],
  traceParent: null,
});

async function erasureLedger(t: ExecutionContext) {
  const ledger = await hotLedger(t);
  const { db, pool, channel, tenant } = ledger;
  const { id: destinationId } = await aWebhookDestination(ledger, channel);
  const { begin, finish } = erasuresOf(db, tenant.organization.id);
  const send = async (count: number, sender = SENDER) =>
    await accepted(
      pool,
      items(count).map((item) => ({
        ...item,
        sender,
        body: Buffer.from(`{"text":"${sender}-text"}`),
        conversationKey: 77,
      })),
    );
  const answer = async (ids: readonly number[]) =>
    await settleAccepted(
      pool,
      ids.map((deliveryId) => ({
        deliveryId,
        destinationId,
        attempt: {
          ...refusal({ outcome: 'accepted', status: 200 }),
          responseHeaders: { 'x-echo': `${CANARY}-header` },
          responseBody: Buffer.from(`${CANARY}-answer`),
          request: sentRequest,
        },
      })),
    );
  const call = (path: string) => ({
    channel_id: channel.id,
    workspace_id: tenant.workspace.id,
    via: 'gateway',
    caller: 'key',
    method: 'GET',
    path,
    status: 200,
    duration_ms: 1,
    request_id: 'one',
    started_at: new Date(),
  });
  return { ...ledger, destinationId, begin, finish, send, answer, call };
}

async function statuses(db: Knex): Promise<string[]> {
  return await db('deliveries').orderBy('id').pluck('status');
}

test('the answer to a request with an erased event is found nowhere', async (t) => {
  const { db, pool, begin, finish, send, destinationId } = await erasureLedger(t);
  const [erased] = await send(1);
  const [other, alone] = await send(2, 'somebody');
  const attempt = {
    ...refusal({ outcome: 'accepted', status: 200 }),
    responseHeaders: { 'x-echo': 'kept' },
    responseBody: Buffer.from(`${CANARY}-answer`),
  };
  const settle = async (ids: readonly number[], batch: readonly number[]) =>
    await settleAccepted(
      pool,
      ids.map((deliveryId) => ({ deliveryId, destinationId, attempt: { ...attempt, batch } })),
    );
  await settle([erased!, other!], [erased!, other!]);
  await db('attempts').insert({ ...row(alone!), batch: [alone], response_body: Buffer.from('kept') });

  const { counts } = await finish(await begin({ kind: 'sender', sender: SENDER }));

  t.deepEqual(await tablesWith(db, CANARY), []);
  t.like(counts, { events: 1, attempts: 2 });
  const attempts = await db('attempts').orderBy('delivery_id').select('response_body', 'batch');
  t.deepEqual(
    attempts.map(({ response_body: body }) => body && String(body)),
    [null, null, 'kept'],
  );
});

function row(deliveryId: number) {
  return {
    delivery_id: deliveryId,
    number: 1,
    started_at: new Date(0),
    duration_ms: 1,
    outcome: 'accepted',
    status: 200,
  };
}

test('an erased sender is found in no table', async (t) => {
  const { db, begin, finish, send, answer, call } = await erasureLedger(t);
  await answer(await send(3));
  await send(2);
  const others = await send(1, 'somebody');
  await db('outbound_calls').insert([call(`/${SENDER}`), call('/me')]);
  const before = await tablesWith(db, CANARY);
  t.true(
    before.some((column) => /^attempts_\w+[.]request$/.test(column)),
    String(before),
  );
  t.true(before.length >= 4);

  const erasure = await finish(await begin({ kind: 'sender', sender: SENDER }));

  t.deepEqual(await tablesWith(db, CANARY), []);
  t.deepEqual(erasure.counts, {
    events: 5,
    deliveries: 5,
    cancelled: 2,
    attempts: 3,
    replayItems: 0,
    outboundCalls: 1,
    idempotentCalls: 0,
    scheduledMessages: 0,
    scheduledPosts: 0,
    containers: 0,
    unroutedEvents: 0,
  });
  t.deepEqual(await statuses(db), ['delivered', 'delivered', 'delivered', 'cancelled', 'cancelled', 'pending']);
  t.is(
    await db('events')
      .whereNotNull('sender')
      .count('*')
      .first()
      .then((row) => Number(row?.count)),
    1,
  );
  t.deepEqual(await db('deliveries').where('conversation_key', 77).pluck('id'), others);
  t.deepEqual(await db('erased_events'), []);
});

test('an erasure interrupted after each slice completes once', async (t) => {
  const { db, begin, finish, send, tenant } = await erasureLedger(t);
  await send(450);
  const publicId = await begin({ kind: 'workspace', workspaceId: tenant.workspace.id });
  const first = await eraseSlice(db, publicId, { lateMs: 0 });
  t.is(first?.status, 'erasing');
  await Promise.all([0, 1, 2].map(() => eraseSlice(db, publicId, { lateMs: 0 })));
  t.like((await finish(publicId)).counts, { events: 450, deliveries: 450, cancelled: 450 });
  t.deepEqual(await tablesWith(db, CANARY), []);
  t.is((await eraseSlice(db, publicId))?.status, 'completed');
});

test('an erased event cannot be restarted and is still a duplicate', async (t) => {
  const { db, pool, begin, finish } = await erasureLedger(t);
  const item = anItem({ sender: SENDER });
  const [id] = await accepted(pool, [item]);
  const event = await db('events').first('id');
  await finish(await begin({ kind: 'event', eventId: event.id }));
  const audit = { organizationId: null, actor: { type: 'system', id: 'test' }, action: 'delivery.restarted' } as const;
  t.deepEqual(await restartDelivery(db, { id: id!, from: 'cancelled', audit }), {
    outcome: 'obstructed',
    obstacle: 'event_erased',
  });
  t.is((await acceptItems(pool, [item])).eventCount, 0);
});

test('a slice reads a bounded part of a channel that has left', async (t) => {
  const { db, pool, begin, finish, send, channel, tenant } = await erasureLedger(t);
  await send(3);
  const other = await insertWorkspace(db, { organizationId: tenant.organization.id, name: 'Other', kind: 'team' });
  await db('channels').where({ id: channel.id }).update({ workspace_id: other.id });
  await db('channel_moves').insert({ channel_id: channel.id, from_workspace_id: tenant.workspace.id });
  const later = await acceptedItems(pool, 5_100);
  const publicId = await begin({ kind: 'workspace', workspaceId: tenant.workspace.id });
  t.is((await eraseSlice(db, publicId, { lateMs: 0 }))?.events, 0);
  t.is((await eraseSlice(db, publicId, { lateMs: 0 }))?.events, 3);
  t.like(await db('erasures').first(), { step: 'events', at_channel_id: channel.id, at_id: later[4_996] });
  t.like((await finish(publicId)).counts, { events: 3 });
});

test('later events of an erased sender stay', async (t) => {
  const { db, begin, finish, send } = await erasureLedger(t);
  await send(1);
  const publicId = await begin({ kind: 'sender', sender: SENDER });
  await send(1);
  t.like((await finish(publicId)).counts, { events: 1 });
  t.is((await db('events').where({ sender: SENDER })).length, 1);
});

test('the answer of an attempt under way is erased afterwards', async (t) => {
  const { db, begin, finish, send, answer } = await erasureLedger(t);
  const ids = await send(1);
  const publicId = await begin({ kind: 'sender', sender: SENDER });
  while ((await eraseSlice(db, publicId, { lateMs: 3_600_000 }))?.step !== 'answers');
  await answer(ids);
  t.true((await tablesWith(db, CANARY)).includes('attempts_0.response_body'));
  t.true((await eraseSlice(db, publicId))?.isHeld);
  await db('erasures').update({ next_step_at: null });
  t.like((await finish(publicId)).counts, { attempts: 1 });
  t.deepEqual(await tablesWith(db, CANARY), []);
});

test('an erasure waits for transactions that began before it', async (t) => {
  const { db, begin, finish, anotherPool } = await erasureLedger(t);
  const slow = await anotherPool(1).connect();
  await slow.query('begin');
  await slow.query('select pg_current_xact_id()');
  await acceptItems(slow as never, [anItem({ sender: SENDER })]);
  const publicId = await begin({ kind: 'sender', sender: SENDER });
  t.true((await eraseSlice(db, publicId))?.isHeld);
  await slow.query('commit');
  slow.release();
  t.like((await finish(publicId)).counts, { events: 1 });
});
