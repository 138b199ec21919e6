import test from 'ava';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';

test("a workspace's channels are paged newest first", async (t) => {
  const { db, call, refused, workspace, at } = await tenantStage(t);
  const a = await aChannel(db, workspace);
  const b = await aChannel(db, workspace);
  const c = await aChannel(db, workspace);
  const first = (await call('GET /platform/channels?limit=2', at)).body;
  t.deepEqual(fieldsOf(first.channels, 'id'), [c.publicId, b.publicId]);
  const second = (await call(`GET /platform/channels?limit=2&cursor=${first.nextCursor}`, at)).body;
  t.like(second, { channels: [{ id: a.publicId }], nextCursor: null });
  await refused('VALIDATION_ERROR', 'GET /platform/channels?cursor=ch_00000000', at);
  await refused('VALIDATION_ERROR', 'GET /platform/channels?limit=101', at);
});

test('a channel shows its account, webhook and connection state', async (t) => {
  const { db, call, workspace, at } = await tenantStage(t);
  const chatapp = await aChannel(db, workspace, { type: 'chatapp', resourceId: '4711' });
  const pageapp = await aChannel(db, workspace, { type: 'pageapp', resourceId: '4712' });
  await aWebhook(db, chatapp);
  const show = async (id: string) => (await call(`GET /platform/channels/${id}`, at)).body;
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
