import test from 'ava';
import type { Knex } from 'knex';
import { deliveryWorkflowId } from '../../../contract/ids.ts';
import { tenantStage, channelStage, webhookStage } from '../../harness/api/stages.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test('a delivery shows its stored payload and every attempt', async (t) => {
  const { db, call, channel, at, deliver } = await webhookStage(t);
  const payload = '{"text":"😀 \\u00e9","n":12345678901234567890,"n":1}';
  const { id, publicId } = await deliver({ body: payload, status: 'retrying', attemptCount: 2 });
  await twoAttempts(db, id);

  const { body } = await call(`GET /deliveries/${publicId}`, at);

  t.like(body, {
    deliveryId: publicId,
    channelId: channel.publicId,
    eventType: 'chatapp.message.received',
    status: 'retrying',
    payload,
    sender: '15550001',
    platformMessageId: 'mid.1',
    skipReason: null,
    workflowId: deliveryWorkflowId(publicId),
    destination: { type: 'webhook', url: 'https://receiver.example.com/hook', label: null, subscriptionId: null },
  });
  t.regex(body.eventId, /^evt_/);
  t.deepEqual(body.attempts, [
    { number: 1, startedAt: '1970-01-01T00:00:00.000Z', durationMs: 12, outcome: 'no_response', status: null, responseHeaders: {}, responseBody: null, error: 'connection refused', batch: null, url: null },
    { number: 2, startedAt: '1970-01-01T00:00:00.000Z', durationMs: 12, outcome: 'rejected', status: 503, responseHeaders: { 'retry-after': '5', 'set-cookie': '[redacted]', location: 'https://login.example' }, responseBody: 'busy', error: null, batch: null, url: null },
  ]); // prettier-ignore
});

async function twoAttempts(db: Knex, deliveryId: number): Promise<void> {
  const attempt = { delivery_id: deliveryId, started_at: new Date(0), duration_ms: 12 };
  const stored = { 'retry-after': '5', 'set-cookie': '[redacted]', location: 'https://login.example' };
  const answer = { status: 503, response_headers: stored, response_body: Buffer.from('busy') };
  await db('attempts').insert([
    { ...attempt, number: 1, outcome: 'no_response', error: 'connection refused', batch: null },
    { ...attempt, number: 2, outcome: 'rejected', ...answer },
  ]);
}

test('a delivery without a destination or a workflow shows neither', async (t) => {
  const { db, call, workspace, at } = await tenantStage(t);
  const delivery = await aLedgerDelivery(db, await aChannel(db, workspace), {
    status: 'skipped',
    skipReason: 'no_destination',
  });
  const { body } = await call(`GET /deliveries/${delivery.publicId}`, at);
  t.like(body, { destination: null, workflowId: null, skipReason: 'no_destination', attempts: [] });
});

test('deliveries are paged newest first without payload and attempts', async (t) => {
  const { db, call, refused, workspace, at } = await tenantStage(t);
  const one = await aChannel(db, workspace);
  const two = await aChannel(db, workspace);
  const ids: string[] = [];
  for (const channel of [one, two, one, two, one]) {
    ids.unshift((await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination' })).publicId);
  }
  const found: string[] = [];
  let query = 'limit=2';
  for (;;) {
    const { deliveries, nextCursor } = (await call(`GET /deliveries?${query}`, at)).body;
    found.push(...deliveries.map((delivery: { deliveryId: string }) => delivery.deliveryId));
    t.false('payload' in deliveries[0]);
    if (nextCursor === null) break;
    query = `limit=2&cursor=${nextCursor}`;
  }
  t.deepEqual(found, ids);
  t.is((await call(`GET /deliveries?scope=channel:${two.publicId}`, at)).body.deliveries.length, 2);
  t.is((await call(`GET /deliveries?scope=workspace:${workspace.publicId}`, at)).body.deliveries.length, 5);
  await refused('VALIDATION_ERROR', 'GET /deliveries?cursor=nonsense', at);
  await refused('VALIDATION_ERROR', 'GET /deliveries?scope=channel:1', at);
  for (const query of [
    'status=lost',
    'status=',
    'status=pending,',
    'status=pending&status=retrying',
    'status=a,pending',
  ]) {
    await refused('VALIDATION_ERROR', `GET /deliveries?${query}`, at);
  }
  await refused('CHANNEL_NOT_FOUND', 'GET /deliveries?scope=channel:ch_00000000', at);
  await refused('WORKSPACE_NOT_FOUND', 'GET /deliveries?scope=workspace:ws_00000000', at);
});

test('deliveries are filtered by status, type and time', async (t) => {
  const { call, at, deliver } = await webhookStage(t);
  const old = await deliver({ createdAt: new Date('2026-01-01T00:00:00Z') });
  const other = await deliver({
    status: 'delivered',
    eventType: 'chatapp.message.status',
    createdAt: new Date('2026-02-01T00:00:00Z'),
  });
  const list = async (query: string): Promise<string[]> => {
    const { body } = await call(`GET /deliveries?${query}`, at);
    return body.deliveries.map((delivery: { deliveryId: string }) => delivery.deliveryId);
  };
  t.deepEqual(await list('status=pending'), [old.publicId]);
  t.deepEqual(await list('status=retrying,exhausted'), []);
  t.deepEqual(await list('status=delivered,exhausted,delivered'), [other.publicId]);
  t.deepEqual(await list('status=pending,delivered'), [other.publicId, old.publicId]);
  t.deepEqual(await list('eventType=chatapp.message.status'), [other.publicId]);
  t.deepEqual(await list('eventType=chatapp.message.status,photoapp.message.received&status=delivered'), [
    other.publicId,
  ]);
  t.deepEqual(await list('since=2026-01-15T00:00:00Z'), [other.publicId]);
  t.deepEqual(await list('until=2026-01-15T01:00:00%2B01:00'), [old.publicId]);
  t.deepEqual(await list('since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z'), [old.publicId]);
});

test('deliveries are visible only in the workspace that accepted them', async (t) => {
  const { db, call, refused, workspace, channel } = await channelStage(t);
  const other = await aTenant(db);
  await aLedgerDelivery(db, channel, { status: 'skipped', skipReason: 'no_destination' });
  const foreign = { key: other.apiKey, workspace: other.workspace.publicId };
  t.deepEqual((await call('GET /deliveries', foreign)).body.deliveries, []);
  await refused('CHANNEL_NOT_FOUND', `GET /deliveries?scope=channel:${channel.publicId}`, foreign);
  await refused('WORKSPACE_NOT_FOUND', `GET /deliveries?scope=workspace:${workspace.publicId}`, foreign);
});

test('a delivery shows its creation time, source and replay', async (t) => {
  const { db, call, organization, at, deliver } = await webhookStage(t);
  const createdAt = new Date('2026-01-01T00:00:00Z');
  const source = await deliver({ createdAt, status: 'exhausted' });
  const alone = (await call(`POST /deliveries/${source.publicId}/replay`, { ...at, body: {} })).body;
  t.like(alone, { replayOf: source.publicId, replayId: null, receivedAt: createdAt.toISOString() });
  t.true(new Date(alone.createdAt) > createdAt);
  const inBulk = await deliver();
  await noteReplay(db, { organizationId: organization.id, sourceId: source.id, deliveryId: inBulk.id });

  const { deliveries } = (await call('GET /deliveries', at)).body;

  const origins = deliveries.map((one: Record<string, unknown>) => [one.deliveryId, one.replayOf, one.replayId]);
  t.deepEqual(origins, [
    [inBulk.publicId, source.publicId, 'rpl_00000001'],
    [alone.deliveryId, source.publicId, null],
    [source.publicId, null, null],
  ]);
  t.is(deliveries[1].createdAt, alone.createdAt);
  t.is(deliveries[2].createdAt, createdAt.toISOString());
  for (const listed of deliveries) {
    const { createdAt: made, replayOf, replayId } = listed;
    t.like((await call(`GET /deliveries/${listed.deliveryId}`, at)).body, { createdAt: made, replayOf, replayId });
  }
});

interface NotedReplay {
  readonly organizationId: number;
  readonly sourceId: number;
  readonly deliveryId: number;
}

async function noteReplay(db: Knex, { organizationId, sourceId, deliveryId }: NotedReplay): Promise<void> {
  await db.raw(
    `with replay as (
       insert into replays (public_id, organization_id, since_at, until_at, statuses, rate_per_second, snapshot, matched)
       values ('rpl_00000001', ?, now() - interval '1 day', now(), '{exhausted}', 1, pg_current_snapshot(), 1) returning id
     )
     insert into replay_items (replay_id, source_delivery_id, channel_id, event_id, slot, delivery_id, done_at)
     select replay.id, d.id, d.channel_id, d.event_id, 0, ?, now() from replay, deliveries d where d.id = ?`,
    [organizationId, deliveryId, sourceId],
  );
}

test('attempts of one request share its batch', async (t) => {
  const { db, call, channel, at } = await channelStage(t);
  const sent = { destinationId: await aWebhook(db, channel), status: 'delivered' } as const;
  const deliveries = [await aLedgerDelivery(db, channel, sent), await aLedgerDelivery(db, channel, sent)];
  const batch = deliveries.map(({ id }) => id);
  for (const { id } of deliveries) {
    const attempt = { delivery_id: id, started_at: new Date(0), duration_ms: 12, outcome: 'accepted', status: 200 };
    await db('attempts').insert({ ...attempt, number: 1, batch });
  }
  const shown = [];
  for (const { publicId } of deliveries) {
    const { body } = await call(`GET /deliveries/${publicId}`, at);
    shown.push(body.attempts[0].batch);
  }
  t.deepEqual(shown[0], shown[1]);
  t.regex(shown[0].id, /^wb_[0-9a-f]{24}$/);
  t.deepEqual(
    shown[0].deliveryIds,
    deliveries.map(({ publicId }) => publicId),
  );
});

test('a delivery that was retried very often shows its latest attempts', async (t) => {
  const { db, call, at, deliver } = await webhookStage(t);
  const { id, publicId } = await deliver({ status: 'retrying', attemptCount: 150 });
  await db.raw(
    `insert into attempts (delivery_id, number, outcome, status, started_at, duration_ms)
     select ?, n, 'rejected', 500, now(), 1 from generate_series(1, 150) n`,
    [id],
  );
  const { body } = await call(`GET /deliveries/${publicId}`, at);
  t.is(body.attemptCount, 150);
  t.deepEqual([body.attempts.length, body.attempts[0].number, body.attempts[99].number], [100, 51, 150]);
});
