import test, { type ExecutionContext } from 'ava';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { aKey, aMember } from '../../harness/tenants.ts';

async function stage(t: ExecutionContext) {
  const api = await channelStage(t);
  const { organization, workspace, key } = api;
  const place = { organizationId: organization.id, workspaceId: workspace.id };
  return {
    ...api,
    place,
    list: (query = '', by = key) => api.call(`GET /organizations/${organization.publicId}/alerts${query}`, { key: by }),
  };
}

test('alerts are listed newest first and paged', async (t) => {
  const { db, list, place, channel, workspace, organization } = await stage(t);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.unshift(await anAlert(db, { ...place, channelId: channel.id }));
  const { status, body } = await list('?limit=2');
  t.is(status, 200);
  t.deepEqual(fieldsOf(body.alerts, 'alertId'), ids.slice(0, 2));
  t.like(body.alerts[0], {
    kind: 'destination.circuit_open',
    severity: 'warning',
    status: 'open',
    organizationId: organization.publicId,
    workspaceId: workspace.publicId,
    channelId: channel.publicId,
    subject: { type: 'webhook', id: null, label: 'receiver.example.com' },
    title: 'Deliveries to a destination are paused',
    resolvedAt: null,
    acknowledgedBy: null,
  });
  const next = await list(`?cursor=${body.nextCursor}`);
  t.is(next.body.alerts.length, 1);
  t.is(next.body.nextCursor, null);
  t.is((await list('?cursor=alr_00000000')).status, 400);
});

test('alerts are filtered by workspace, channel, kind, severity and status', async (t) => {
  const { db, list, place, channel, workspace } = await stage(t);
  await anAlert(db, { ...place, channelId: channel.id });
  await anAlert(db, { ...place, workspaceId: null, kind: 'replay.failed' });
  const critical = await anAlert(db, { ...place, kind: 'destination.disabled' });
  await db('alerts').where({ public_id: critical }).update({ resolved_at: new Date(), resolution: 'ended' });
  const count = async (query: string): Promise<number> => (await list(query)).body.alerts.length;
  t.is(await count(''), 3);
  t.is(await count(`?workspaceId=${workspace.publicId}`), 2);
  t.is(await count(`?channelId=${channel.publicId}`), 1);
  t.is(await count('?kind=replay.failed'), 1);
  t.is(await count('?severity=critical'), 1);
  t.is(await count('?status=open'), 2);
  t.is(await count('?status=resolved'), 1);
  t.is((await list('?status=muted')).status, 400);
  t.is((await list('?other=1')).status, 400);
  t.is((await list('?workspaceId=ws_00000000')).status, 404);
});

test('members see the alerts of their workspaces only', async (t) => {
  const { db, list, call, place, organization, workspace } = await stage(t);
  const other = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const own = await anAlert(db, place);
  const foreign = await anAlert(db, { ...place, workspaceId: other.id });
  const whole = await anAlert(db, { ...place, workspaceId: null, kind: 'replay.failed' });
  const user = await aMember(db, organization, 'member');
  await db('workspace_members').insert({ workspace_id: workspace.id, user_id: user.id, role: 'member' });
  const by = await aKey(db, { organization, user, scopes: ['deliveries.read', 'channel.manage'] });
  const { body } = await list('', by);
  t.deepEqual(fieldsOf(body.alerts, 'alertId'), [own]);
  const counted = await call(`GET /organizations/${organization.publicId}/alert-count`, { key: by });
  t.deepEqual(counted.body, { critical: 0, warning: 1 });
  t.is((await list(`?workspaceId=${other.publicId}`, by)).status, 404);
  t.is((await call(`GET /alerts/${own}`, { key: by })).status, 200);
  for (const hidden of [foreign, whole]) {
    t.is((await call(`GET /alerts/${hidden}`, { key: by })).status, 404);
    t.is((await call(`POST /alerts/${hidden}/acknowledge`, { key: by })).status, 404);
  }
});

test('a key of one workspace sees the alerts of that workspace', async (t) => {
  const { db, list, place, organization, user, workspace } = await stage(t);
  const other = await insertWorkspace(db, { organizationId: organization.id, name: 'Other', kind: 'team' });
  const own = await anAlert(db, place);
  await anAlert(db, { ...place, workspaceId: other.id });
  await anAlert(db, { ...place, workspaceId: null, kind: 'replay.failed' });
  const by = await aKey(db, { organization, user, workspaceIds: [workspace.id] });
  const { body } = await list('', by);
  t.deepEqual(fieldsOf(body.alerts, 'alertId'), [own]);
});

test('an acknowledgement resolves what has happened and keeps lasting causes open', async (t) => {
  const { db, call, place, key } = await stage(t);
  const lasting = await anAlert(db, place);
  const past = await anAlert(db, { ...place, kind: 'replay.failed' });
  const { body } = await call(`POST /alerts/${lasting}/acknowledge`, { key });
  t.like(body, { status: 'open', resolvedAt: null });
  t.regex(body.acknowledgedBy, /^key_/);
  t.is((await call(`POST /alerts/${lasting}/acknowledge`, { key })).body.acknowledgedAt, body.acknowledgedAt);
  t.like((await call(`POST /alerts/${past}/acknowledge`, { key })).body, { status: 'resolved' });
  const again = await call(`POST /alerts/${past}/acknowledge`, { key });
  t.is(again.status, 409);
  t.is(again.body.code, 'ALERT_RESOLVED');
  const actions = await db('audit_entries').where({ action: 'alert.acknowledged' }).pluck('target_id');
  t.deepEqual(actions, [lasting, lasting, past]);
});

test('an alert is muted for a bounded time and unmuted', async (t) => {
  const { db, call, place, key } = await stage(t);
  const alert = await anAlert(db, place);
  const mute = (until: string) => call(`POST /alerts/${alert}/mute`, { key, body: { until } });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  t.is((await mute(until)).body.mutedUntil, until);
  t.is((await mute(new Date(Date.now() - 1_000).toISOString())).status, 400);
  t.is((await mute(new Date(Date.now() + 31 * 86_400_000).toISOString())).status, 400);
  t.is((await mute('tomorrow')).status, 400);
  t.is((await call(`POST /alerts/${alert}/unmute`, { key })).body.mutedUntil, null);
});
