import test from 'ava';
import { sequenceOf } from '../../../contract/ids.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { planNextBatch } from '../../../db/replays/plan.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, type TestChannel } from '../../harness/tenants.ts';

const span = { since: '2026-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' };
const statuses = ['pending', 'retrying', 'delivered', 'exhausted', 'cancelled', 'skipped'] as const;

test('a replay has the deliveries that the list has', async (t) => {
  const { db, databaseUrl, call, refused, workspace, key, at } = await tenantStage(t);
  const pool = testHotPool(t, databaseUrl);
  const { idKey } = await readInstallation(db);
  const first = await aChannel(db, workspace);
  const second = await aChannel(db, workspace);
  const webhooks = new Map([[first, await aWebhook(db, first)], [second, await aWebhook(db, second)]]); // prettier-ignore
  const subscribed = await aDestination(db, first);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: first.id, destination_id: subscribed });

  async function aDelivery(
    channel: TestChannel,
    of: { http?: number | null; to?: number; body?: string; event?: object },
  ) {
    const destinationId = of.to ?? webhooks.get(channel)!;
    const made = await aLedgerDelivery(db, channel, { status: 'exhausted', destinationId, body: of.body ?? '{}', attemptCount: of.http === undefined ? 0 : 1 }); // prettier-ignore
    const { event_id: id } = await db('deliveries').where({ id: made.id }).first();
    await db('events')
      .where({ id })
      .update({ ...of.event });
    const outcome = of.http === null ? { outcome: 'no_response', error: 'reset' } : { outcome: 'rejected' };
    const attempt = { delivery_id: made.id, number: 1, started_at: new Date(), duration_ms: 1, ...outcome };
    if (of.http !== undefined) await db('attempts').insert({ ...attempt, status: of.http });
    return made.publicId;
  }
  const one = await aDelivery(first, { http: 503, body: '{"text":"my order"}', event: { sender: '4917', platform_message_id: 'mid.a' } }); // prettier-ignore
  await aDelivery(first, { http: 404, event: { sender: '4918', platform_message_id: 'mid.b' } });
  await aDelivery(first, { http: null, to: subscribed, event: { sender: '4917', platform_message_id: 'mid.c' } });
  await aDelivery(second, { http: 500, body: '{"text":"my order"}', event: { sender: '4919', platform_message_id: 'mid.d' } }); // prettier-ignore
  await aDelivery(second, { body: '{"text":"new"}', event: { sender: '4917', platform_message_id: 'mid.e' } });
  const scope = `workspace:${workspace.publicId}`;
  const body = { ...span, statuses, scope };
  const cases: readonly (readonly [query: Record<string, string>, filters: object, count: number])[] = [
    [{}, {}, 5],
    [{ channelId: first.publicId }, { channelIds: [first.publicId] }, 3],
    [{ channelId: `${first.publicId},${second.publicId}` }, { channelIds: [first.publicId, second.publicId] }, 5],
    [{ destination: 'webhook' }, { originalDestinations: ['webhook'] }, 4],
    [{ destination: 'sub_00000001' }, { originalDestinations: ['sub_00000001'] }, 1],
    [{ destination: 'webhook,sub_00000001' }, { originalDestinations: ['webhook', 'sub_00000001'] }, 5],
    [{ destination: 'sub_00000009' }, { originalDestinations: ['sub_00000009'] }, 0],
    [{ httpStatus: '5xx' }, { httpStatuses: ['5xx'] }, 2],
    [{ httpStatus: '404,none' }, { httpStatuses: ['404', 'none'] }, 2],
    [{ sender: '4917' }, { sender: '4917' }, 3],
    [{ platformMessageId: 'mid.b' }, { platformMessageId: 'mid.b' }, 1],
    [{ search: 'my order' }, { search: 'my order' }, 2],
    [{ search: '4917' }, { search: '4917' }, 3],
    [{ search: one }, { search: one }, 1],
    [{ search: second.publicId }, { search: second.publicId }, 2],
    [{ search: 'nothing has this' }, { search: 'nothing has this' }, 0],
    [{ search: 'my order', httpStatus: '503', sender: '4917' }, { search: 'my order', httpStatuses: ['503'], sender: '4917' }, 1], // prettier-ignore
    [{ scope: `channel:${second.publicId}`, search: 'my order' }, { scope: `channel:${second.publicId}`, search: 'my order' }, 1], // prettier-ignore
    [{ eventType: 'chatapp.message.status' }, { eventTypes: ['chatapp.message.status'] }, 0],
  ];
  for (const [query, filters, count] of cases) {
    const what = JSON.stringify(query);
    const listed = (await call(`GET /deliveries?${new URLSearchParams(query)}`, at)).body.deliveries;
    t.is(listed.length, count, what);
    const dryRun = await call('POST /replays', { ...at, body: { ...body, ...filters, dryRun: true } });
    t.is(dryRun.body.matched, count, what);
    const { replayId } = (await call('POST /replays', { ...at, body: { ...body, ...filters } })).body;
    while (await planNextBatch(pool, replayId));
    const [row] = await db('replays').where({ public_id: replayId }).select('id', 'planned');
    const items = await db('replay_items').where({ replay_id: row.id }).select('source_delivery_id as id');
    t.is(row.planned, count, what);
    const numbers = listed.map(({ deliveryId }: { deliveryId: string }) => sequenceOf(idKey, 'delivery', deliveryId));
    t.deepEqual(items.map(({ id }) => id).toSorted(), numbers.toSorted(), what);
    await call(`POST /replays/${replayId}/cancel`, at);
  }

  const shown = {
    channelIds: [first.publicId],
    originalDestinations: ['webhook'],
    httpStatuses: ['5xx'],
    sender: '4917',
  };
  const { replayId } = (await call('POST /replays', { ...at, body: { ...body, ...shown } })).body;
  const { sender, ...kept } = shown;
  const replay = (await call(`GET /replays/${replayId}`, at)).body;
  t.like(replay, { ...kept, selectedBy: ['sender'] });
  const stored = JSON.stringify(await db('replays').where({ public_id: replayId }));
  t.false(stored.includes(sender), 'the text of a sender is not kept');

  await refused('CHANNEL_NOT_FOUND', 'POST /replays', { ...at, body: { ...body, channelIds: ['ch_00000000'] } });
  const wide = { ...body, scope: `organization:${(await db('organizations').first()).public_id}`, search: 'x' };
  await refused('VALIDATION_ERROR', 'POST /replays', { key, body: wide });
});
