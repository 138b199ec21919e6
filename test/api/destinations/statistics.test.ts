import test from 'ava';
import { MAX_KEPT_SHOWN } from '../../../contract/destinations/pending-deliveries.ts';
import { readChannelStatistics } from '../../../db/deliveries/channel-statistics.ts';
import type { Knex } from 'knex';
import { insertDestination } from '../../../db/ledger/destinations/destinations.ts';
import { commitSubscription } from '../../../db/subscriptions/subscriptions.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { webhookStage } from '../../harness/api/stages.ts';
import { type testApi } from '../../harness/api/api.ts';
import { aLedgerDelivery } from '../../harness/deliveries/ledger.ts';

const since = '2026-01-01T00:00:00.000Z';
const until = '2026-01-01T01:00:00.000Z';
const minute = (number: number): Date => new Date(Date.parse(since) + number * 60_000);

async function stage(t: Parameters<typeof testApi>[0]) {
  const api = await webhookStage(t);
  const { apiKey, channel, destinationId } = api;
  const failure = (id: number, number: number, startedAt: Date) =>
    api
      .db('attempts')
      .insert({ delivery_id: id, number, started_at: startedAt, duration_ms: 10, outcome: 'rejected', status: 503 });
  /** `latencyMs` is null for an undelivered one. */
  const delivery = async (at: number, latencyMs: number | null, failedAttempts = 0): Promise<void> => {
    const attemptCount = failedAttempts + (latencyMs === null ? 0 : 1);
    const status = latencyMs === null ? 'exhausted' : 'delivered';
    const { id } = await aLedgerDelivery(api.db, channel, {
      destinationId,
      status,
      attemptCount,
      createdAt: minute(at),
    });
    for (let number = 1; number <= failedAttempts; number++) await failure(id, number, minute(at));
    if (latencyMs === null) return;
    const attempt = { started_at: new Date(minute(at).getTime() + latencyMs - 10), duration_ms: 10 };
    await api
      .db('attempts')
      .insert({ delivery_id: id, number: attemptCount, outcome: 'accepted', status: 200, ...attempt });
  };
  return { ...api, key: apiKey, delivery, failure };
}

test('deliveries are counted per time bucket with latency and failures', async (t) => {
  const { call, channel, key, delivery } = await stage(t);
  await delivery(1, 100);
  await delivery(2, 300, 2);
  await delivery(31, null, 12);
  await delivery(61, 5);

  const { body } = await call(`GET /channels/${channel.publicId}/statistics?since=${since}&until=${until}&buckets=2`, {
    key,
  });

  t.is(body.bucketSeconds, 1800);
  t.true(body.isComplete);
  t.deepEqual(body.destinations[0].buckets, [
    {
      at: since,
      deliveries: 2,
      delivered: 2,
      failed: 0,
      waiting: 0,
      failedAttempts: 2,
      latencyMs: { p50: 200, p95: 290 },
    },
    {
      at: '2026-01-01T00:30:00.000Z',
      deliveries: 1,
      delivered: 0,
      failed: 1,
      waiting: 0,
      failedAttempts: 12,
      latencyMs: null,
    },
  ]);
});

test('failed attempts count at their own time, not that of their delivery', async (t) => {
  const { db, call, channel, destinationId, key, failure } = await stage(t);
  const older = await aLedgerDelivery(db, channel, { destinationId, attemptCount: 3, createdAt: minute(-5) });
  for (const [index, at] of [-4, 10, 50].entries()) await failure(older.id, index + 1, minute(at));
  const path = `GET /channels/${channel.publicId}/statistics?since=${since}&until=${until}&buckets=2`;
  const [{ buckets }] = (await call(path, { key })).body.destinations;
  t.deepEqual(fieldsOf(buckets, 'deliveries', 'failedAttempts'), [
    [0, 1],
    [0, 1],
  ]);
});

test('failures in a row include the probes of an open circuit', async (t) => {
  const { db, call, channel, destinationId, key, failure } = await stage(t);
  const { id } = await aLedgerDelivery(db, channel, { destinationId, attemptCount: 24, createdAt: minute(0) });
  for (let number = 1; number <= 24; number++) await failure(id, number, minute(number));
  await db('destinations')
    .where({ id: destinationId })
    .update({ failing_since: minute(1), consecutive_failures: 5 });
  const { destinations } = (await call(`GET /channels/${channel.publicId}/destinations`, { key })).body;
  t.is(destinations[0].consecutiveFailures, 24);
});

test('statistics over the row limit are reported as incomplete', async (t) => {
  const { db, channel, delivery, workspace } = await stage(t);
  await delivery(1, 100);
  for (let n = 0; n < 3; n++) {
    const skipped = { status: 'skipped', skipReason: 'no_destination' } as const;
    await aLedgerDelivery(db, channel, { ...skipped, destinationId: null, createdAt: minute(2) });
  }
  const span = {
    channelId: channel.id,
    workspaceId: workspace.id,
    since: minute(0),
    until: minute(60),
    bucketMs: 60_000,
  };
  const few = await readChannelStatistics(db, { ...span, maxLooked: 3 });
  t.deepEqual(few, { buckets: [], isComplete: false });
  const all = await readChannelStatistics(db, { ...span, maxLooked: 5 });
  t.true(all.isComplete);
  t.deepEqual(fieldsOf(all.buckets, 'bucket', 'deliveryCount'), [[1, 1]]);
});

test('an invalid span or bucket count is refused', async (t) => {
  const { refused, channel, key } = await stage(t);
  const path = `GET /channels/${channel.publicId}/statistics`;
  await refused('VALIDATION_ERROR', `${path}?since=${until}&until=${since}`, { key });
  await refused('VALIDATION_ERROR', `${path}?since=2020-01-01T00:00:00Z&until=${since}`, { key });
  await refused('VALIDATION_ERROR', `${path}?buckets=501`, { key });
});

test("a channel's destinations show their circuit and pending counts", async (t) => {
  const { call, channel, key } = await stage(t);
  const { body } = await call(`GET /channels/${channel.publicId}/destinations`, { key });
  t.like(body.destinations[0], { type: 'webhook', circuit: { state: 'closed', temporalUrl: null }, enabled: true });
  t.deepEqual(body.destinations[0].waiting, { pending: 0, retrying: 0 });
});

test('conversation order and trace header are set per destination and audited', async (t) => {
  const { db, call, refused, channel, key } = await stage(t);
  const path = `PATCH /channels/${channel.publicId}/destinations`;
  const { publicId: subscription } = await aSubscription(db, channel.id);
  const set = async (destination: string, change: object) => {
    const { status, body } = await call(path, { key, body: { destination, ...change } });
    t.is(status, 200);
    return fieldsOf(body.destinations, 'subscriptionId', 'ordering', 'sendsTraceParent');
  };
  const unchanged = [subscription, 'conversation', true];
  t.deepEqual(await set('webhook', { ordering: 'none' }), [[null, 'none', true], unchanged]);
  t.deepEqual(await set('webhook', { sendsTraceParent: false }), [[null, 'none', false], unchanged]);
  const both = { sendsTraceParent: true, ordering: 'conversation' };
  t.deepEqual(await set('webhook', both), [[null, 'conversation', true], unchanged]);
  t.deepEqual((await set(subscription, { ordering: 'none' }))[1], [subscription, 'none', true]);
  const audited = await db('audit_entries').where('action', 'like', 'destination.%').orderBy('id');
  t.deepEqual(fieldsOf(audited, 'action', 'target_id'), [
    ['destination.ordered', channel.publicId],
    ['destination.trace_header_disabled', channel.publicId],
    ['destination.ordered', channel.publicId],
    ['destination.trace_header_enabled', channel.publicId],
    ['destination.ordered', subscription],
  ]);
  for (const wrong of [{ destination: 'lst_00000000' }, { ordering: 'some' }, { sendsTraceParent: 'no' }]) {
    await refused('VALIDATION_ERROR', path, { key, body: { destination: 'webhook', ordering: 'none', ...wrong } });
  }
});

async function aSubscription(db: Knex, channelId: number): Promise<{ publicId: string }> {
  const destinationId = await insertDestination(db, {
    channelId,
    type: 'subscription',
    url: 'https://crm.example.com/hook',
    label: null,
    enabled: true,
    eventTypes: ['chatapp.message.received'],
    staged: true,
  });
  const created = {
    channelId,
    destinationId,
    max: 1,
    audit: { organizationId: 1, actor: { type: 'system', id: 'test' } as const },
  };
  const publicId = await commitSubscription(db, created);
  if (publicId === undefined) throw new Error('The channel has a subscription already');
  return { publicId };
}

test("a channel's destinations include only its latest old URLs with deliveries", async (t) => {
  const { db, call, channel, key } = await stage(t);
  const [webhook] = await db('destinations').where({ channel_id: channel.id });
  const { id: _id, shard: _shard, ...columns } = webhook;
  const kept = Array.from({ length: MAX_KEPT_SHOWN + 1 }, (_, number) => ({
    ...columns,
    url: `https://old.example.com/${number}`,
    kept_for: webhook.id,
  }));
  const ids = await db('destinations').insert(kept).returning('id');
  for (const { id: destinationId } of ids) await aLedgerDelivery(db, channel, { destinationId, status: 'pending' });
  await db('destinations').insert({ ...columns, url: 'https://old.example.com/empty', kept_for: webhook.id });
  const { destinations } = (await call(`GET /channels/${channel.publicId}/destinations`, { key })).body;
  t.is(destinations.length, 1 + MAX_KEPT_SHOWN);
  t.is(destinations[0].isKept, false);
  t.is(destinations[1].url, 'https://old.example.com/1');
  t.true(destinations.slice(1).every(({ isKept }: { isKept: boolean }) => isKept));
});

test('empty buckets are listed with zeros; a deleted destination says so', async (t) => {
  const { db, call, channel, key, delivery } = await stage(t);
  await delivery(31, 100);
  await db('destinations').where({ channel_id: channel.id }).update({ deleted_at: new Date() });
  const path = `GET /channels/${channel.publicId}/statistics?since=${since}&until=${until}&buckets=4`;
  const [destination] = (await call(path, { key })).body.destinations;
  const counts = destination.buckets.map(({ deliveries }: { deliveries: number }) => deliveries);
  t.deepEqual(counts, [0, 0, 1, 0]);
  t.like(destination.buckets[0], { at: since, failedAttempts: 0, latencyMs: null });
  t.true(destination.isDeleted);
});
