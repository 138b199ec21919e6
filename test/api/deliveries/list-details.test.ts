import test, { type ExecutionContext } from 'ava';
import { disconnectChannel } from '../../../db/channels/channels.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { aPortal } from '../../harness/access/portals.ts';
import { aDestination, aLedgerDelivery, aWebhook, type LedgerDelivery } from '../../harness/deliveries/ledger.ts';
import { aSentAttempt } from '../../harness/deliveries/sent-attempts.ts';
import { aChannel } from '../../harness/tenants.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const oldUrl = 'https://receiver.example.com/old?token=1';
const url = 'https://receiver.example.com/new';

async function listStage(t: ExecutionContext) {
  const { db, call, refused, endVoid, tenant, channel, at } = await channelStage(t);
  const destinationId = await aWebhook(db, channel, { url });
  const read = async (path: string, as: object = at) => (await call(`GET /deliveries${path}`, as)).body;
  const deliver = (delivery: LedgerDelivery = {}) => aLedgerDelivery(db, channel, { destinationId, ...delivery });
  const attempted = async (status: number | null, delivery: LedgerDelivery = {}) => {
    const made = await deliver({ status: 'exhausted', attemptCount: 1, ...delivery });
    const outcome = status === null ? 'no_response' : status < 300 ? 'accepted' : 'rejected';
    const at = { started_at: new Date(), duration_ms: 12 };
    await db('attempts').insert({ delivery_id: made.id, number: 1, ...at, outcome, status });
    return made.publicId;
  };
  return { db, call, refused, endVoid, tenant, channel, destinationId, at, read, deliver, attempted };
}

test('a list shows the last attempt and the text on request', async (t) => {
  const { db, read, deliver } = await listStage(t);
  const { id, publicId } = await deliver({ status: 'delivered', attemptCount: 2, body: '{"text":"Hello"}' });
  const started = { started_at: new Date(), duration_ms: 30 };
  await db('attempts').insert({ delivery_id: id, number: 1, ...started, outcome: 'rejected', status: 500 });
  await aSentAttempt(db, { deliveryId: id, url: oldUrl, secret, body: '{}', number: 2 });
  const waiting = await deliver();

  const { deliveries } = await read('?include=lastAttempt,preview');
  t.like(deliveries[0], { deliveryId: waiting.publicId, attemptCount: 0, lastAttempt: null, preview: null });
  t.like(deliveries[1], { deliveryId: publicId, attemptCount: 2, preview: 'Hello' });
  t.like(deliveries[1].lastAttempt, { number: 2, status: 200, outcome: 'accepted', durationMs: 1, url: oldUrl });
  t.is(deliveries[1].destination.url, url);

  const plain = (await read('')).deliveries[1];
  t.false('lastAttempt' in plain || 'preview' in plain);
});

test('attempts keep the URL that they were sent to', async (t) => {
  const { db, tenant, call, read, deliver, channel } = await listStage(t);
  const { id, publicId } = await deliver({ status: 'delivered', attemptCount: 2 });
  const started = { started_at: new Date(), duration_ms: 30 };
  await db('attempts').insert({ delivery_id: id, number: 1, ...started, outcome: 'blocked', error: 'Not allowed.' });
  await aSentAttempt(db, { deliveryId: id, url: oldUrl, secret, body: '{}', number: 2 });
  const urls = ({ attempts }: { attempts: readonly { url: string | null }[] }) => attempts.map((one) => one.url);
  t.deepEqual(urls(await read(`/${publicId}`)), [null, oldUrl]);

  const subscribed = await aDestination(db, channel);
  const own = await deliver({ status: 'delivered', attemptCount: 1, destinationId: subscribed });
  await aSentAttempt(db, { deliveryId: own.id, url: oldUrl, secret, body: '{}' });
  const portal = { key: (await aPortal(db, tenant)).accessToken, workspace: tenant.workspace.publicId };
  t.deepEqual(urls(await read(`/${publicId}`, portal)), [null, null], 'a portal sees no URL of the webhook');
  t.deepEqual(urls(await read(`/${own.publicId}`, portal)), [oldUrl]);
  const text = JSON.stringify((await call('GET /deliveries?include=lastAttempt', portal)).body.deliveries[1]);
  t.false(text.includes('receiver.example.com'));
});

test('a delivery tells who cancelled it, but not to a portal', async (t) => {
  const { db, tenant, call, at, read, deliver, channel, endVoid } = await listStage(t);
  const { publicId } = await deliver();
  await call(`POST /deliveries/${publicId}/cancel`, at);
  const { cancellation } = await read(`/${publicId}`);
  const { public_id: keyId, name } = await db('api_keys').first('public_id', 'name');
  t.like(cancellation, { reason: 'requested', by: { type: 'api_key', id: keyId, name } });
  t.is((await read('')).deliveries[0].cancellation.by.name, null);

  const portal = { key: (await aPortal(db, tenant)).accessToken, workspace: tenant.workspace.publicId };
  t.like(await read(`/${publicId}`, portal), { cancellation: { reason: 'requested', by: null } });
  const theirs = await deliver();
  await call(`POST /deliveries/${theirs.publicId}/cancel`, portal);
  t.like(await read(`/${theirs.publicId}`, portal), { cancellation: { by: { type: 'portal' } } });

  const waiting = await deliver();
  const { email, publicId: userId } = tenant.user;
  const audit = { organizationId: tenant.organization.id, actor: { type: 'user', id: userId } } as const;
  await disconnectChannel(db, { ...channel, audit });
  await endVoid();
  t.like(await read(`/${waiting.publicId}`), {
    cancellation: { reason: 'channel_disconnected', by: { type: 'user', id: userId, name: email } },
  });
});

test('deliveries are filtered by response, channel and several destinations', async (t) => {
  const { db, tenant, refused, at, read, attempted, deliver, channel } = await listStage(t);
  const find = async (query: string): Promise<string[]> =>
    (await read(`?${query}`)).deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
  const subscribed = await aDestination(db, channel);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: channel.id, destination_id: subscribed });
  const other = await aChannel(db, tenant.workspace);
  const ok = await attempted(200, { status: 'delivered' });
  const teapot = await attempted(418);
  const broken = await attempted(503, { destinationId: subscribed });
  const silent = await attempted(null);
  await deliver();
  const elsewhere = (await aLedgerDelivery(db, other, { status: 'delivered' })).publicId;
  t.deepEqual(await find('httpStatus=2xx'), [ok]);
  t.deepEqual(await find('httpStatus=4xx,5xx'), [broken, teapot]);
  t.deepEqual(await find('httpStatus=418,none'), [silent, teapot]);
  t.deepEqual(await find('httpStatus=5xx&status=delivered'), []);
  t.deepEqual(await find('destination=sub_00000001'), [broken]);
  t.deepEqual(await find('destination=webhook,sub_00000001&status=exhausted'), [silent, broken, teapot]);
  t.deepEqual(await find(`channelId=${other.publicId}`), [elsewhere]);
  t.is((await find(`channelId=${other.publicId},${channel.publicId}`)).length, 6);
  await refused('CHANNEL_NOT_FOUND', 'GET /deliveries?channelId=ch_00000000', at);
  await refused('VALIDATION_ERROR', 'GET /deliveries?httpStatus=6xx', at);
});
