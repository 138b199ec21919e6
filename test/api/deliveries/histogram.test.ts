import test from 'ava';
import { aPortal } from '../../harness/access/portals.ts';
import { testApi } from '../../harness/api/api.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

const HOUR_MS = 3_600_000;
const begin = Date.parse('2026-01-31T00:00:00Z');
const span = 'since=2026-01-31T00:00:00Z&until=2026-01-31T03:00:00Z&buckets=3';

test('a histogram follows the search of the list', async (t) => {
  const { db, call } = await testApi(t);
  const tenant = await aTenant(db);
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  const bodyOf = (text: string) => JSON.stringify({ type: 'text', text });
  const deliver = (hours: number, text: string, status: 'delivered' | 'exhausted') => {
    const createdAt = new Date(begin + hours * HOUR_MS);
    return aLedgerDelivery(db, channel, { destinationId, status, createdAt, body: bodyOf(text) });
  };
  await deliver(0.5, 'Rye bread, please', 'delivered');
  await deliver(0.6, 'Two loaves of rye', 'exhausted');
  const { publicId } = await deliver(1.5, 'Good morning', 'delivered');
  const read = async (search: string) => {
    const query = new URLSearchParams(`${span}&search=${search}`);
    const at = { key: tenant.apiKey, workspace: tenant.workspace.publicId };
    const { buckets, isComplete } = (await call(`GET /deliveries/histogram?${query}`, at)).body;
    t.true(isComplete);
    return buckets.map((one: { delivered: number; failed: number }) => [one.delivered, one.failed]);
  };
  t.deepEqual(await read('rye'), [[1, 1], [0, 0], [0, 0]]); // prettier-ignore
  t.deepEqual(await read(publicId), [[0, 0], [1, 0], [0, 0]]); // prettier-ignore
  t.deepEqual(await read('wd_00000000'), [[0, 0], [0, 0], [0, 0]]); // prettier-ignore
});

test('a histogram counts what the list shows, with empty buckets', async (t) => {
  const { db, call, refused } = await testApi(t);
  const tenant = await aTenant(db);
  const stranger = await aTenant(db);
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  const statuses = ['delivered', 'exhausted', 'pending', 'cancelled', 'delivered'] as const;
  for (const [index, status] of statuses.entries()) {
    const createdAt = new Date(begin + (index === 4 ? 2.5 : 0.5) * HOUR_MS);
    await aLedgerDelivery(db, channel, { destinationId, status, createdAt });
  }
  const at = { key: tenant.apiKey, workspace: tenant.workspace.publicId };
  const read = async (query: string, as: object = at) => (await call(`GET /deliveries/histogram?${query}`, as)).body;

  const { buckets, ...rest } = await read(span);
  const none = { delivered: 0, failed: 0, waiting: 0, notSent: 0 };
  t.deepEqual(buckets, [
    { at: '2026-01-31T00:00:00.000Z', delivered: 1, failed: 1, waiting: 1, notSent: 1 },
    { at: '2026-01-31T01:00:00.000Z', ...none },
    { at: '2026-01-31T02:00:00.000Z', ...none, delivered: 1 },
  ]);
  t.like(rest, { bucketMs: HOUR_MS, isComplete: true });
  t.like((await read(`${span}&status=exhausted`)).buckets[0], { ...none, failed: 1 });
  t.like((await read(`${span}&sender=4917`)).buckets[0], none);
  t.is((await read('since=2026-01-31T00:00:00Z')).buckets.length, 60);

  const theirs = { key: stranger.apiKey, workspace: stranger.workspace.publicId };
  t.like((await read(span, theirs)).buckets[0], none);
  await refused('CHANNEL_NOT_FOUND', `GET /deliveries/histogram?${span}&channelId=${channel.publicId}`, theirs);
  const portal = { key: (await aPortal(db, tenant, { channelIds: [channel.id] })).accessToken };
  await refused('FORBIDDEN', `GET /deliveries/histogram?${span}`, { ...at, ...portal });
  t.like((await read(`${span}&scope=channel:${channel.publicId}`, { ...at, ...portal })).buckets[0], { failed: 1 });
  await refused(
    'VALIDATION_ERROR',
    'GET /deliveries/histogram?since=2026-01-31T00:00:00Z&until=2026-01-01T00:00:00Z',
    at,
  );
});
