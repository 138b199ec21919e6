import test from 'ava';
import { noTemporal, testApi } from '../../harness/api/api.ts';
import { aDestination, aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';

test("a workspace's channels are paged newest first", async (t) => {
  const { db, call, refused } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const at = { key, workspace: workspace.publicId };
  const [a, b, c] = [await aChannel(db, workspace), await aChannel(db, workspace), await aChannel(db, workspace)];
  const first = (await call('GET /platform/channels?limit=2', at)).body;
  t.deepEqual(
    first.channels.map((channel: { id: string }) => channel.id),
    [c.publicId, b.publicId],
  );
  const second = (await call(`GET /platform/channels?limit=2&cursor=${first.nextCursor}`, at)).body;
  t.like(second, { channels: [{ id: a.publicId }], nextCursor: null });
  await refused('VALIDATION_ERROR', 'GET /platform/channels?cursor=ch_00000000', at);
  await refused('VALIDATION_ERROR', 'GET /platform/channels?limit=101', at);
});

test('a channel shows its account, webhook and connection state', async (t) => {
  const { db, call } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const chatapp = await aChannel(db, workspace, { type: 'chatapp', resourceId: '4711' });
  const pageapp = await aChannel(db, workspace, { type: 'pageapp', resourceId: '4712' });
  await aWebhook(db, chatapp);
  const show = async (id: string) =>
    (await call(`GET /platform/channels/${id}`, { key, workspace: workspace.publicId })).body;
  t.like(await show(chatapp.publicId), {
    id: chatapp.publicId,
    type: 'chatapp',
    workspaceId: workspace.publicId,
    metaResourceId: '4711',
    phoneNumberId: '4711',
    connected: true,
    forwardingEnabled: true,
    webhookUrl: 'https://receiver.example.com/hook',
    linkedChannelId: null,
  });
  t.like(await show(pageapp.publicId), { metaResourceId: '4712', phoneNumberId: null, webhookUrl: null });
});

const oneChannelRoutes = ['GET ', 'POST /enable', 'POST /disable', 'POST /disconnect'].map((text) => text.split(' '));

for (const [method, suffix] of oneChannelRoutes) {
  test(`${method} /platform/channels/{ch}${suffix} does not reveal a foreign channel`, async (t) => {
    const { db, refused } = await testApi(t);
    const [mine, other] = [await aTenant(db), await aTenant(db)];
    const foreign = await aChannel(db, other.workspace);
    const route = (id: string) => `${method} /platform/channels/${id}${suffix}`;
    const at = { key: mine.apiKey, workspace: mine.workspace.publicId };
    await refused('CHANNEL_NOT_FOUND', route(foreign.publicId), at);
    await refused('CHANNEL_NOT_FOUND', route('ch_00000000'), at);
    await refused('CHANNEL_NOT_FOUND', route('42'), at);
    await refused('AUTH_REQUIRED', route(foreign.publicId), { workspace: other.workspace.publicId });
    await refused('VALIDATION_ERROR', route(foreign.publicId), { key: other.apiKey });
    t.true(
      (await db('channels').where({ id: foreign.id, forwarding_enabled: true, disconnected_at: null }).first()) !==
        undefined,
    );
  });
}

test('disabling forwarding skips pending deliveries, which enabling does not send', async (t) => {
  const cancelled: string[] = [];
  const temporal = { ...noTemporal, cancelDeliveries: (ids: readonly string[]) => void cancelled.push(...ids) };
  const { db, call } = await testApi(t, { temporal });
  const { workspace, apiKey: key } = await aTenant(db);
  const channel = await aChannel(db, workspace);
  const destinationId = await aWebhook(db, channel);
  const pending = await aLedgerDelivery(db, channel, { destinationId });
  const retrying = await aLedgerDelivery(db, channel, { destinationId, status: 'retrying', attemptCount: 1 });
  const delivered = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', attemptCount: 1 });
  await db('conversation_holds').insert({
    destination_id: destinationId,
    conversation_key: 1,
    delivery_id: retrying.id,
    until_at: new Date(Date.now() + 60_000),
  });
  const at = { key, workspace: workspace.publicId };

  const { body } = await call(`POST /platform/channels/${channel.publicId}/disable`, at);

  t.like(body, { forwardingEnabled: false, connected: true });
  const states = async () =>
    (await db('deliveries').select('id', 'status', 'skip_reason').orderBy('id')).map((row) => [
      row.id,
      row.status,
      row.skip_reason,
    ]);
  const expected = [
    [pending.id, 'skipped', 'forwarding_disabled'],
    [retrying.id, 'skipped', 'forwarding_disabled'],
    [delivered.id, 'delivered', null],
  ];
  t.deepEqual(cancelled, [retrying.publicId]);
  t.is((await db('conversation_holds')).length, 0);
  t.true((await call(`POST /platform/channels/${channel.publicId}/enable`, at)).body.forwardingEnabled);
  t.deepEqual(await states(), expected);
});

test('disconnecting cancels pending deliveries and prevents enabling forwarding', async (t) => {
  const { db, call, refused, endVoid } = await testApi(t);
  const { workspace, apiKey: key } = await aTenant(db);
  const [channel, neighbor] = [await aChannel(db, workspace), await aChannel(db, workspace)];
  for (const destinationId of [await aWebhook(db, channel), await aDestination(db, channel)]) {
    await aLedgerDelivery(db, channel, { destinationId });
  }
  const untouched = await aLedgerDelivery(db, neighbor, { destinationId: await aWebhook(db, neighbor) });
  const at = { key, workspace: workspace.publicId };
  t.like((await call(`POST /platform/channels/${channel.publicId}/disconnect`, at)).body, { connected: false });
  t.is(await endVoid(), 2);
  t.is((await db('deliveries').where({ status: 'cancelled' })).length, 2);
  t.like(await db('deliveries').where({ id: untouched.id }).first(), { status: 'pending' });
  t.is((await call(`POST /platform/channels/${channel.publicId}/disconnect`, at)).status, 200);
  t.is((await refused('CHANNEL_DISCONNECTED', `POST /platform/channels/${channel.publicId}/enable`, at)).status, 409);
});
