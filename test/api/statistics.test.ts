import test from 'ava';
import { readChannelStatistics } from '../../db/queries/channel-statistics.ts';
import { testApi } from '../harness/api.ts';
import { aLedgerDelivery, aWebhook } from '../harness/ledger.ts';
import { aChannel, aTenant } from '../harness/tenants.ts';

const since = '2026-01-01T00:00:00.000Z';
const until = '2026-01-01T01:00:00.000Z';
const minute = (number: number): Date => new Date(Date.parse(since) + number * 60_000);

async function stage(t: Parameters<typeof testApi>[0]) {
  const api = await testApi(t);
  const { workspace, apiKey } = await aTenant(api.db);
  const channel = await aChannel(api.db, workspace);
  const destinationId = await aWebhook(api.db, channel);
  /** Accepted in this minute; its last attempt was accepted so long after it, or it was not accepted yet. */
  const delivery = async (at: number, latencyMs: number | null, failedAttempts = 0): Promise<void> => {
    const attemptCount = failedAttempts + (latencyMs === null ? 0 : 1);
    const status = latencyMs === null ? 'exhausted' : 'delivered';
    const { id } = await aLedgerDelivery(api.db, channel, {
      destinationId,
      status,
      attemptCount,
      createdAt: minute(at),
    });
    if (latencyMs === null) return;
    const attempt = { started_at: new Date(minute(at).getTime() + latencyMs - 10), duration_ms: 10 };
    await api
      .db('attempts')
      .insert({ delivery_id: id, number: attemptCount, outcome: 'accepted', status: 200, ...attempt });
  };
  return { ...api, workspace, channel, key: apiKey, delivery };
}

test('deliveries are counted by the part of the span that they came in, with latency and failures', async (t) => {
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
      ...{ at: since, deliveries: 2, delivered: 2, failed: 0, waiting: 0, failedAttempts: 2 },
      latencyMs: { p50: 200, p95: 290 },
    },
    {
      ...{ at: '2026-01-01T00:30:00.000Z', deliveries: 1, delivered: 0, failed: 1, waiting: 0, failedAttempts: 12 },
      latencyMs: null,
    },
  ]);
});

test('no more is looked at than one look may cost, whatever has become of it, and the answer says so', async (t) => {
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
  t.deepEqual(
    all.buckets.map(({ bucket, deliveryCount }) => [bucket, deliveryCount]),
    [[1, 1]],
  );
});

test('a span that ends before it begins, or is longer than a year, is refused', async (t) => {
  const { refused, channel, key } = await stage(t);
  const path = `GET /channels/${channel.publicId}/statistics`;
  await refused('VALIDATION_ERROR', `${path}?since=${until}&until=${since}`, { key });
  await refused('VALIDATION_ERROR', `${path}?since=2020-01-01T00:00:00Z&until=${since}`, { key });
  await refused('VALIDATION_ERROR', `${path}?buckets=501`, { key });
});

test("the channel's destinations are shown with what waits for each", async (t) => {
  const { call, channel, key } = await stage(t);
  const { body } = await call(`GET /channels/${channel.publicId}/destinations`, { key });
  t.like(body.destinations[0], { type: 'webhook', circuit: { state: 'closed', temporalUrl: null }, enabled: true });
  t.deepEqual(body.destinations[0].waiting, { pending: 0, retrying: 0 });
});
