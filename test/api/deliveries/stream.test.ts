import test from 'ava';
import { createApiShares } from '../../../api/requests/api-shares.ts';
import { createShares, type ShareOwner, type Shares } from '../../../process/shares.ts';
import { acceptItems } from '../../../db/ledger/accept.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { eventually } from '../../harness/eventually.ts';
import { anItem } from '../../harness/deliveries/hot-ledger.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { streamStage } from '../../harness/api/stream-stage.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const SUMMARY_FIELDS =
  'deliveryId,eventId,channelId,channelName,eventType,destination,status,sender,platformMessageId,receivedAt,createdAt,nextAttemptAt,waitsForCircuit,skipReason,attemptCount,cancellation,workflowId,replayOf,replayId,traceId,erasedAt';

const deliver = `update deliveries set status = 'delivered', attempt_count = 1, xid = pg_current_xact_id() where status = 'pending'`;

test('a stream sends each change of a delivery with its summary', async (t) => {
  const stage = await streamStage(t);
  const stream = await stage.open();
  t.is(stream.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.regex((await stream.next())?.id ?? '', /^\d+-0$/);
  await acceptItems(stage.pool, [anItem({ sender: '15550009' })]);
  const [pending] = await stream.deliveries(1);
  t.like(pending?.data, { status: 'pending', channelId: stage.channel.publicId, sender: '15550009' });
  t.is(Object.keys(pending?.data).join(), SUMMARY_FIELDS);
  await stage.pool.query(deliver);
  const [delivered] = await stream.deliveries(1);
  t.like(delivered?.data, { status: 'delivered', deliveryId: pending?.data.deliveryId });
  t.regex(delivered?.id ?? '', /^\d+-wd_[A-Za-z0-9]{8}$/);
});

test('a reconnecting client gets every missed change exactly once', async (t) => {
  const stage = await streamStage(t);
  await acceptItems(stage.pool, [anItem()]);
  const first = await stage.open();
  const place = (await first.next())?.id;
  first.close();
  await acceptItems(
    stage.pool,
    Array.from({ length: 230 }, () => anItem()),
  );
  await acceptItems(stage.pool, [anItem()]);
  const second = await stage.open(place);
  const before = await second.deliveries(115);
  second.close();
  const third = await stage.open(before.at(-1)?.id);
  const after = await third.deliveries(116);
  const ids = [...before, ...after].map(({ data }) => data.deliveryId);
  t.is(new Set(ids).size, 231);
  const stored = await stage.db('deliveries').count('* as count').first();
  t.is(Number(stored?.count), 232);
});

test('a quiet stream advances its position without losing changes', async (t) => {
  const stage = await streamStage(t);
  const first = await stage.open();
  const began = await first.next();
  await stage.db.raw('select pg_current_xact_id()');
  const beat = await first.next(({ comment, id }) => comment !== undefined && id !== began?.id);
  t.is(beat?.comment, 'still here');
  first.close();
  await acceptItems(stage.pool, [anItem()]);
  t.is((await (await stage.open(beat?.id)).deliveries(1)).length, 1);
});

test('a stream shows no change above an open transaction', async (t) => {
  const stage = await streamStage(t);
  const stream = await stage.open();
  const late = stage.aPool(1);
  await late.query('begin');
  const slow = anItem({ platformMessageId: 'mid.slow' });
  const quickOne = anItem({ platformMessageId: 'mid.quick' });
  await acceptItems(late, [slow]);
  await acceptItems(stage.pool, [quickOne]);
  const place = await stream.next(({ comment }) => comment !== undefined);
  // Heartbeats continue while no change may be shown.
  const frames = [await stream.next(), await stream.next(), await stream.next()];
  t.deepEqual(new Set(frames.map((frame) => frame?.event)), new Set([undefined]));
  await late.query('commit');
  const shown = await stream.deliveries(2);
  t.deepEqual(
    shown.map(({ data }) => data.platformMessageId),
    ['mid.slow', 'mid.quick'],
  );
  const again = await (await stage.open(place?.id)).deliveries(2);
  t.deepEqual(
    fieldsOf(again, 'id'),
    shown.map(({ id }) => id),
  );
});

test("a stream shows only its own channel's deliveries", async (t) => {
  const stage = await streamStage(t);
  const other = await aChannel(stage.db, stage.workspace, { resourceId: 'res-2' });
  await aWebhook(stage.db, other);
  const stream = await stage.open();
  await acceptItems(stage.pool, [anItem({ resourceId: 'res-2' }), anItem({ platformMessageId: 'mid.own' })]);
  const [shown] = await stream.deliveries(1);
  t.is(shown?.data.platformMessageId, 'mid.own');
  const foreign = await aTenant(stage.db);
  const theirs = await aChannel(stage.db, foreign.workspace, { resourceId: 'res-3' });
  const path = `/deliveries/stream?scope=channel:${theirs.publicId}`;
  await stage.refused('CHANNEL_NOT_FOUND', `GET ${path}`, stage.access);
  await stage.refused('VALIDATION_ERROR', 'GET /deliveries/stream', stage.access);
});

test('an invalid stream position is refused', async (t) => {
  const { refused, path, access } = await streamStage(t);
  for (const place of ['x', '1-2', '-1-0', '1-wd_1234567', '999999999999999999-0', '1-ch_12345678']) {
    await refused('VALIDATION_ERROR', `GET ${path}`, { ...access, headers: { 'last-event-id': place } });
  }
});

test("a credential's streams are limited; closing one frees its slot", async (t) => {
  const slots = createShares({ perCredential: 2, perOrganization: 3, inAll: 3 });
  const stage = await streamStage(t, { slots });
  const [first] = [await stage.open(), await stage.open()];
  const { headers } = await stage.refused('RATE_LIMITED', `GET ${stage.path}`, stage.access);
  t.is(headers.get('retry-after'), '15');
  first?.close();
  await eventually(() => slots.count() === 1);
  t.is((await stage.open()).response.status, 200);
});

test('the streams of all credentials together are limited', (t) => {
  const slots = createShares({ perCredential: 2, perOrganization: 3, inAll: 3 });
  const of = (number: number) => slots.take(anOwner(number));
  const giveBack = of(1);
  of(2);
  of(3);
  t.throws(() => of(4), { name: 'TooManyRequests' });
  giveBack();
  giveBack();
  t.is(slots.count(), 2);
  t.notThrows(() => of(4));
});

test("an organization's streams are limited and leave slots for others", (t) => {
  const slots = createShares({ perCredential: 2, perOrganization: 3, inAll: 100 });
  const of = (credentialId: string, organizationId = 1) =>
    slots.take({ ...anOwner(organizationId), credentialId, userId: Number(credentialId) });
  const giveBack = of('1');
  of('1');
  of('2');
  t.throws(() => of('2'), { name: 'TooManyRequests' });
  t.throws(() => of('3'), { name: 'TooManyRequests' });
  t.notThrows(() => of('4', 2));
  giveBack();
  t.notThrows(() => of('2'));
});

test('ten organizations at their limits leave slots for another', (t) => {
  const slots = createApiShares().streams;
  for (let number = 1; number <= 10; number++) takeAll(slots, (turn) => anOwner(number, turn));
  for (let turn = 0; turn < 10; turn++) t.notThrows(() => slots.take(anOwner(11, turn)));
});

test('organizations of one person or one address share a limit', (t) => {
  for (const shared of [{ userId: 1 }, { clientAddress: '93.184.216.34' }]) {
    const slots = createApiShares().streams;
    for (let number = 1; number <= 300; number++) takeAll(slots, (turn) => ({ ...anOwner(number, turn), ...shared }));
    t.true(slots.count() <= 200, JSON.stringify(shared));
    t.notThrows(() => slots.take(anOwner(301)));
  }
});

test('clients behind private addresses share no limit', (t) => {
  const slots = createApiShares().streams;
  for (let number = 1; number <= 300; number++) slots.take({ ...anOwner(number), clientAddress: '10.0.0.1' });
  t.is(slots.count(), 300);
});

/** Each turn uses another of the owner's keys. */
function anOwner(number: number, turn = 0): ShareOwner {
  const clientAddress = `93.0.${number >> 8}.${number & 255}`;
  return { credentialId: `key_${number}_${turn}`, organizationId: number, userId: number, clientAddress };
}

function takeAll(slots: Shares, ownerOf: (turn: number) => ShareOwner): void {
  try {
    for (let turn = 0; ; turn++) slots.take(ownerOf(turn));
  } catch {
    // The limit is reached.
  }
}

test('a stopping process reports its stop and ends its streams', async (t) => {
  const stage = await streamStage(t);
  const stream = await stage.open();
  await stream.next();
  stage.slots.close();
  const closed = await stream.next(({ event }) => event === 'closed');
  t.deepEqual(closed?.data, { reason: 'server_stopping' });
  t.is(await stream.next(), undefined);
  t.is((await stage.open()).response.status, 429);
});

test('a stream continues after a database outage', async (t) => {
  const stage = await streamStage(t, {});
  const stream = await stage.open();
  await acceptItems(stage.pool, [anItem({ platformMessageId: 'mid.before' })]);
  await stream.deliveries(1);
  for (let times = 0; times < 3; times++) {
    await stage.pool
      .query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      .catch(() => undefined);
    await stream.next(({ comment }) => comment !== undefined);
  }
  await acceptItems(stage.aPool(), [anItem({ platformMessageId: 'mid.after' })]);
  const [after] = await stream.deliveries(1);
  t.is(after?.data.platformMessageId, 'mid.after');
});

test('a HEAD request of the stream ends immediately', async (t) => {
  const { url, path, apiKey, workspace, slots } = await streamStage(t);
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspace.publicId };
  const head = await fetch(`${url}${path}`, { method: 'HEAD', headers });
  t.is(head.status, 200);
  t.is(await head.text(), '');
  t.is(slots.count(), 0);
});
