import test, { type ExecutionContext } from 'ava';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { eventually } from '../../harness/eventually.ts';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { aChannel, aTenant, testSecretBox } from '../../harness/tenants.ts';

async function twoWorkspaces(t: ExecutionContext) {
  const api = await tenantStage(t);
  const { tenant } = api;
  const target = await insertWorkspace(api.db, {
    organizationId: tenant.organization.id,
    name: 'Shop',
    kind: 'customer',
  });
  const channel = await aChannel(api.db, tenant.workspace);
  const key = tenant.apiKey;
  const move = (id: string) => api.call(`POST /channels/${channel.publicId}/move`, { key, body: { workspaceId: id } });
  return { ...api, key, target, channel, move };
}

test('a moved channel keeps its credential and its webhook', async (t) => {
  const { db, call, refused, move, key, workspace, target, channel } = await twoWorkspaces(t);
  await aWebhook(db, channel);

  t.like((await move(target.publicId)).body, { id: channel.publicId, workspaceId: target.publicId });

  const route = `GET /platform/channels/${channel.publicId}`;
  await refused('CHANNEL_NOT_FOUND', route, { key, workspace: workspace.publicId });
  const { body } = await call(route, { key, workspace: target.publicId });
  t.is(body.webhookUrl, 'https://receiver.example.com/hook');
  const credential = await db('connection_credentials').first();
  t.like(credential, { public_id: body.credentialId, workspace_id: target.id });
  t.is((await move(target.publicId)).status, 200);
  t.deepEqual((await recordedActs(db)).filter((act) => act === 'channel.moved').length, 1);
});

test('deliveries stay visible only in the workspace that accepted them', async (t) => {
  const { db, call, refused, move, key, workspace, target, channel } = await twoWorkspaces(t);
  const destinationId = await aWebhook(db, channel);
  const before = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted', attemptCount: 12 });
  await move(target.publicId);
  const after = await aLedgerDelivery(db, channel, { destinationId });
  const old = { key, workspace: workspace.publicId };
  const fresh = { key, workspace: target.publicId };
  const listed = async (at: typeof old, query = '') =>
    (await call(`GET /deliveries${query}`, at)).body.deliveries.map((one: { deliveryId: string }) => one.deliveryId);
  const ofChannel = `?scope=channel:${channel.publicId}`;
  t.deepEqual(await listed(old), [before.publicId]);
  t.deepEqual(await listed(old, ofChannel), [before.publicId]);
  t.deepEqual(await listed(fresh), [after.publicId]);
  t.deepEqual(await listed(fresh, ofChannel), [after.publicId]);
  t.is((await call(`GET /deliveries/${before.publicId}`, old)).status, 200);
  await refused('DELIVERY_NOT_FOUND', `GET /deliveries/${before.publicId}`, fresh);
  await refused('DELIVERY_NOT_FOUND', `GET /deliveries/${after.publicId}`, old);
  await refused('DELIVERY_NOT_FOUND', `POST /deliveries/${before.publicId}/retry`, fresh);
  t.is((await call(`POST /deliveries/${before.publicId}/retry`, old)).status, 202);
  await move(workspace.publicId);
  t.deepEqual(await listed(old), [before.publicId]);
  t.deepEqual(await listed(fresh), [after.publicId]);
});

test('a moved channel gets a copy of a shared credential', async (t) => {
  const { db, move, target, channel, workspace } = await twoWorkspaces(t);
  const sibling = await aChannel(db, workspace, { type: 'pageapp' });
  const [shared] = await db('channels').where({ id: channel.id }).pluck('credential_id');
  await db('channels').where({ id: sibling.id }).update({ credential_id: shared });
  const { body } = await move(target.publicId);
  const copy = await db('connection_credentials').where({ public_id: body.credentialId }).first();
  t.is(copy.workspace_id, target.id);
  t.is(testSecretBox.open(copy.token_encrypted, sealedContexts.credentialToken(copy.public_id)), 'platform-token');
  t.like(await db('connection_credentials').where({ id: shared }).first(), { workspace_id: workspace.id });
});

test('a linked channel of another workspace is not shown', async (t) => {
  const { db, call, move, key, target, channel, workspace } = await twoWorkspaces(t);
  const sibling = await aChannel(db, workspace, { type: 'pageapp', resourceId: 'page-1' });
  await db('channels').where({ id: channel.id }).update({ type: 'photoapp', linked_resource_id: 'page-1' });
  const show = (at: string) => call(`GET /platform/channels/${channel.publicId}`, { key, workspace: at });
  t.is((await show(workspace.publicId)).body.linkedChannelId, sibling.publicId);
  await move(target.publicId);
  t.is((await show(target.publicId)).body.linkedChannelId, null);
});

test('a channel moves only to an existing workspace of its organization', async (t) => {
  const { db, refused, key, target, channel, workspace } = await twoWorkspaces(t);
  const other = await aTenant(db);
  const route = `POST /channels/${channel.publicId}/move`;
  const to = (workspaceId: string) => ({ key, body: { workspaceId } });
  await refused('WORKSPACE_NOT_FOUND', route, to(other.workspace.publicId));
  await refused('WORKSPACE_NOT_FOUND', route, to('ws_00000000'));
  await refused('VALIDATION_ERROR', route, to('nowhere'));
  await db('workspaces').where({ id: target.id }).update({ deleted_at: new Date() });
  await refused('WORKSPACE_NOT_FOUND', route, to(target.publicId));
  t.like(await db('channels').where({ id: channel.id }).first(), { workspace_id: workspace.id });
});

test("a move waits for its workspace's deletion without locking the channel", async (t) => {
  const { db, move, workspace, target, channel } = await twoWorkspaces(t);
  const deletion = await db.transaction();
  await deletion.raw('select from workspaces where id = ? for update', [workspace.id]);
  const moving = move(target.publicId);
  await eventually(async () => {
    const { rows } = await db.raw(`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from "workspaces"%for share%'`);
    return rows.length === 1;
  });
  await deletion.raw('select from channels where id = ? for update nowait', [channel.id]);
  await deletion('workspaces').where({ id: workspace.id }).update({ deleted_at: new Date() });
  await deletion.commit();
  t.is((await moving).status, 404);
});
