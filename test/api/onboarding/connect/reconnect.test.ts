import test from 'ava';
import { insertWorkspace } from '../../../../db/organizations/workspaces.ts';
import { fieldsOf } from '../../../harness/fields-of.ts';
import { connectStage, type ConnectStage } from '../../../harness/onboarding/connect.ts';
import { recordedActs } from '../../../harness/api/recorded-acts.ts';
import { eventually } from '../../../harness/eventually.ts';
import { aChannel, aTenant } from '../../../harness/tenants.ts';

const NUMBER = '100000000000011';

async function channelsOf({ db, tenant }: ConnectStage) {
  return await db('channels').where({ workspace_id: tenant.workspace.id }).orderBy('id');
}

test('reconnecting an account gives its channel a new credential', async (t) => {
  const stage = await connectStage(t);
  const { db, link, visitor, tenant, call } = stage;
  const { apiKey: key, workspace } = tenant;
  const { url } = await link({ workspaceId: workspace.publicId });
  await visitor().consent(url, [NUMBER]);
  const [before] = await channelsOf(stage);
  const secret = (await call(`GET /webhook-config/${before.public_id}/hmac`, { key, workspace: workspace.publicId }))
    .body;

  const again = await visitor().consent(url, [NUMBER]);
  t.regex(again.html, /<h1>Reconnected<\/h1>/);
  const after = await channelsOf(stage);
  t.is(after.length, 1);
  t.is(after[0].public_id, before.public_id);
  t.not(after[0].credential_id, before.credential_id);
  t.deepEqual(
    (await call(`GET /webhook-config/${before.public_id}/hmac`, { key, workspace: workspace.publicId })).body,
    secret,
  );
  t.deepEqual(await db('connection_credentials').pluck('id'), [after[0].credential_id], 'the old token is deleted');
  const acts = (await recordedActs(db)).filter((act) => act.startsWith('channel.'));
  t.deepEqual(acts, ['channel.connected', 'channel.reconnected']);
});

test('connecting and reconnecting check the health of an account', async (t) => {
  const stage = await connectStage(t);
  const { db, link, visitor, tenant, healthChecks } = stage;
  const { url } = await link({ workspaceId: tenant.workspace.publicId });
  await visitor().consent(url, [NUMBER]);
  const [channel] = await channelsOf(stage);
  await eventually(() => Promise.resolve(healthChecks.length === 1));
  const isDue = async () => (await db('channel_health').whereRaw('next_check_at <= now()').pluck('channel_id')).length;
  t.is(await isDue(), 1, 'a check that did not start is done by the schedule');

  await db('channel_health').update({ next_check_at: 'infinity' });
  await visitor().consent(url, [NUMBER]);
  await eventually(() => Promise.resolve(healthChecks.length === 2));
  t.deepEqual([...healthChecks], [channel.public_id, channel.public_id]);
  t.is(await isDue(), 1);
});

test('a disconnected channel reconnects under its id', async (t) => {
  const stage = await connectStage(t);
  const { link, visitor, tenant, call } = stage;
  const { apiKey: key, workspace } = tenant;
  const { url } = await link({ workspaceId: workspace.publicId });
  await visitor().consent(url, [NUMBER]);
  const [channel] = await channelsOf(stage);
  await call(`POST /platform/channels/${channel.public_id}/disconnect`, { key, workspace: workspace.publicId });
  t.is((await visitor().consent(url, [NUMBER])).status, 200);
  const { body } = await call(`GET /platform/channels/${channel.public_id}`, { key, workspace: workspace.publicId });
  t.like(body, { id: channel.public_id, connected: true, workspaceId: workspace.publicId });
  t.is((await channelsOf(stage)).length, 1);
});

test('a link without a workspace reconnects the channel it connected before', async (t) => {
  const { db, link, visitor, tenant, call } = await connectStage(t);
  const { url } = await link();
  await visitor().consent(url, [NUMBER]);
  const before = await db('channels').first();
  const { public_id: workspace } = await db('workspaces').where({ id: before.workspace_id }).first();
  const off = await call(`POST /platform/channels/${before.public_id}/disconnect`, { key: tenant.apiKey, workspace });
  t.is(off.status, 200, JSON.stringify(off.body));
  await visitor().consent(url, [NUMBER]);
  t.deepEqual(await db('channels').pluck('public_id'), [before.public_id]);
  t.is((await db('workspaces').where({ kind: 'customer' })).length, 1);
});

test('an account connected elsewhere is refused without naming its holder', async (t) => {
  const { db, link, visitor, tenant } = await connectStage(t);
  const other = await aTenant(db);
  const second = await insertWorkspace(db, { organizationId: tenant.organization.id, name: 'Second', kind: 'team' });
  const holder = await aChannel(db, tenant.workspace, { resourceId: NUMBER });
  const links = [
    await link({ workspaceId: second.publicId }),
    await link({ by: other }),
    await link({ by: other, workspaceId: other.workspace.publicId }),
    await link(),
  ];
  for (const { url } of links) {
    const { status, html } = await visitor().consent(url, [NUMBER]);
    t.is(status, 409);
    t.true(html.includes('CHANNEL_ALREADY_CONNECTED'));
    for (const name of [holder.publicId, tenant.workspace.publicId, tenant.organization.publicId, 'Team', 'Second']) {
      t.false(html.includes(name), name);
    }
  }
  t.is((await db('channels').select()).length, 1);
  t.is((await db('connection_credentials').select()).length, 1);
  t.is((await db('workspaces').where({ kind: 'customer' })).length, 0);
  t.is((await recordedActs(db)).filter((act) => act === 'onboarding.refused').length, 4);
});

test('an account released by another workspace can be connected', async (t) => {
  const stage = await connectStage(t);
  const { db, link, visitor, tenant, call } = stage;
  const other = await aTenant(db);
  const theirs = await link({ by: other, workspaceId: other.workspace.publicId });
  await visitor().consent(theirs.url, [NUMBER]);
  const former = await db('channels').first();
  await call(`POST /platform/channels/${former.public_id}/disconnect`, {
    key: other.apiKey,
    workspace: other.workspace.publicId,
  });
  const ours = await link({ workspaceId: tenant.workspace.publicId });
  t.is((await visitor().consent(ours.url, [NUMBER])).status, 200);
  t.is((await channelsOf(stage)).length, 1);
  t.is((await visitor().consent(theirs.url, [NUMBER])).status, 409, 'the former holder is refused');
});

test('concurrent connects through two workspaces succeed in one', async (t) => {
  const { db, link, visitor, tenant } = await connectStage(t);
  const other = await aTenant(db);
  for (const account of [NUMBER, '100000000000012', '100000000000001']) {
    const links = [
      await link({ workspaceId: tenant.workspace.publicId }),
      await link({ by: other, workspaceId: other.workspace.publicId }),
    ];
    const pages = await Promise.all(links.map(({ url }) => visitor().consent(url, [account])));
    t.deepEqual(pages.map(({ status }) => status).sort(), [200, 409], account);
  }
  t.is((await db('channels').select()).length, 3);
});

test('concurrent connects through one workspace share one channel', async (t) => {
  const { db, link, visitor, tenant } = await connectStage(t);
  for (const workspaceId of [tenant.workspace.publicId, undefined]) {
    const account = workspaceId === undefined ? '100000000000012' : NUMBER;
    const { url } = await link({ ...(workspaceId !== undefined && { workspaceId }) });
    const pages = await Promise.all([1, 2, 3].map(() => visitor().consent(url, [account])));
    t.deepEqual(fieldsOf(pages, 'status'), [200, 200, 200]);
    t.is((await db('channels').where({ resource_id: account })).length, 1);
  }
  t.is((await db('connection_credentials').select()).length, 2);
  t.is((await db('workspaces').where({ kind: 'customer' })).length, 1);
});
