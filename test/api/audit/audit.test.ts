import test from 'ava';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage, channelStage, webhookStage } from '../../harness/api/stages.ts';
import { removeAllExpired } from '../../harness/database/remove-expired.ts';
import { recordAudit } from '../../../db/audit/record-audit.ts';
import { testAudit } from '../../harness/audit.ts';
import { recordedActs } from '../../harness/api/recorded-acts.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aTenant } from '../../harness/tenants.ts';

test('the audit log lists actor, action, target and request, newest first', async (t) => {
  const { db, call, organization, workspace, user, key, channel } = await channelStage(t);
  const { headers } = await aSession(db, user);
  const at = { workspace: workspace.publicId };
  const of = (action: string) => `POST /platform/channels/${channel.publicId}/${action}`;
  const disabled = await call(of('disable'), { key, ...at, headers: { 'x-request-id': 'first' } });
  await call(of('enable'), { ...at, headers });
  await call(of('enable'), { ...at, headers });
  const route = `GET /organizations/${organization.publicId}/audit-entries`;

  const { entries } = (await call(route, { key })).body;

  t.deepEqual(fieldsOf(entries, 'action'), ['channel.enabled', 'channel.disabled']);
  const targetName = (await db('channels').where({ id: channel.id }).first()).display_name;
  const target = { targetId: channel.publicId, targetName, workspaceId: workspace.publicId };
  t.like(entries[0], { actor: { type: 'user', id: user.publicId, name: user.email }, ...target });
  t.like(entries[1], { actor: { type: 'api_key', name: 'test' }, callerRequestId: 'first', ...target });
  t.is(disabled.headers.get('x-request-id'), 'first');
  t.regex(entries[1].requestId, /^req_[\w-]{16}$/);
  t.is(entries[0].callerRequestId, null);
  t.regex(entries[1].actor.id, /^key_/);
  t.regex(entries[1].clientAddress, /127\.0\.0\.1$/);
});

test('the audit log is filtered and paged', async (t) => {
  const { db, call, refused, organization, key } = await tenantStage(t);
  const create = `POST /organizations/${organization.publicId}/workspaces`;
  for (const name of ['One', 'Two', 'Three']) await call(create, { key, body: { name, kind: 'team' } });
  await db('audit_entries').insert({
    organization_id: organization.id,
    actor_type: 'system',
    actor_id: 'admin',
    action: 'member.added',
    created_at: new Date('2020-01-01T00:00:00Z'),
  });
  const route = `GET /organizations/${organization.publicId}/audit-entries`;
  const count = async (query: string) => (await call(`${route}?${query}`, { key })).body.entries.length;
  t.is(await count('action=workspace.created'), 3);
  t.is(await count('actor=admin'), 1);
  t.is(await count('until=2021-01-01T00:00:00Z'), 1);
  t.is(await count('since=2021-01-01T00:00:00Z'), 3);
  const first = (await call(`${route}?limit=3`, { key })).body;
  const second = (await call(`${route}?limit=3&cursor=${first.nextCursor}`, { key })).body;
  t.is(first.entries.length + second.entries.length, 4);
  t.is(second.nextCursor, null);
  await refused('VALIDATION_ERROR', `${route}?cursor=abc`, { key });
  await refused('VALIDATION_ERROR', `${route}?since=yesterday`, { key });
});

test('an organization reads only its own audit entries', async (t) => {
  const { db, call, key, org } = await tenantStage(t);
  const other = await aTenant(db);
  await call(`POST ${org}/workspaces`, { key, body: { name: 'One', kind: 'team' } });
  const others = `GET /organizations/${other.organization.publicId}/audit-entries`;
  t.deepEqual((await call(others, { key: other.apiKey })).body.entries, []);
});

test('each effective action on secrets, destinations and deliveries is audited', async (t) => {
  const checkDestination = () => Promise.resolve({ state: 'ended', result: 'allowed' } as const);
  const retryDelivery = () => Promise.resolve({ state: 'ended', result: 'signalled' } as const);
  const { db, call, refused, channel, at, deliver } = await webhookStage(t, {
    starts: { checkDestination, retryDelivery },
  });
  const ended = await deliver({ status: 'exhausted', attemptCount: 12 });
  const retrying = await deliver({ status: 'retrying', attemptCount: 1 });
  await call(`GET /webhook-config/${channel.publicId}/hmac`, at);
  const body = { url: 'https://extra.example.com/', events: ['chatapp.message.received'] };
  await call(`POST /channels/${channel.publicId}/subscriptions`, { ...at, body });
  for (const { publicId } of [ended, retrying]) await call(`POST /deliveries/${publicId}/retry`, at);
  await call(`DELETE /webhook-config/${channel.publicId}`, at);
  await call(`DELETE /webhook-config/${channel.publicId}`, at);
  for (let repeat = 0; repeat < 2; repeat++) await call(`POST /platform/channels/${channel.publicId}/disconnect`, at);
  await refused('CHANNEL_DISCONNECTED', `POST /platform/channels/${channel.publicId}/enable`, at);
  t.deepEqual(await recordedActs(db), [
    'webhook.set',
    'webhookSecret.revealed',
    'subscription.created',
    'delivery.retried',
    'delivery.retried',
    'webhook.cleared',
    'channel.disconnected',
  ]);
});

test('a retry that is known not to have started is not audited', async (t) => {
  const { db, refused, at, deliver } = await webhookStage(t);
  const { publicId } = await deliver({ status: 'retrying', attemptCount: 1 });
  await refused('WORKFLOW_UNAVAILABLE', `POST /deliveries/${publicId}/retry`, at);
  t.deepEqual(await recordedActs(db), ['webhook.set']);
});

test('old audit entries are deleted in batches, the newer ones stay', async (t) => {
  const { db, organization } = await tenantStage(t);
  await db('audit_entries').delete();
  const entry = { ...testAudit, organizationId: organization.id };
  for (const action of ['channel.enabled', 'channel.moved', 'channel.disabled'])
    await recordAudit(db, { ...entry, action });
  const [first, second] = await db('audit_entries').orderBy('id').pluck('id');
  await db('audit_entries')
    .whereIn('id', [first, second])
    .update({ created_at: new Date('2020-01-01T00:00:00Z') });
  const cutoff = new Date('2021-01-01T00:00:00Z');
  t.is(await removeAllExpired(db, 'audit_entries', { cutoff }), 2);
  t.deepEqual(await recordedActs(db), ['channel.disabled']);
});

test('the reason of an audit entry has a bound', async (t) => {
  const { db, organization } = await tenantStage(t);
  const entry = { ...testAudit, organizationId: organization.id, action: 'channel.moved' };
  await recordAudit(db, { ...entry, reason: 'x'.repeat(100_000) });
  t.is((await db('audit_entries').where({ action: 'channel.moved' }).first()).reason.length, 4_000);
});

test('dry runs of erasures and replays are audited', async (t) => {
  const { db, call, organization, workspace, key } = await tenantStage(t);
  const scope = `workspace:${workspace.publicId}`;
  const [since, until] = [new Date(Date.now() - 3_600_000), new Date()].map((at) => at.toISOString());
  const replay = { scope, since, until, statuses: ['delivered'], dryRun: true };
  t.is((await call('POST /replays', { key, workspace: workspace.publicId, body: replay })).body.replayId, null);
  const erasure = { scope: { workspace: workspace.publicId }, reason: 'asked', dryRun: true };
  t.is(
    (await call(`POST /organizations/${organization.publicId}/erasures`, { key, body: erasure })).body.erasureId,
    null,
  );
  const acts = await db('audit_entries').whereIn('action', ['replay.counted', 'erasure.counted']).orderBy('id');
  t.like(acts[0], { action: 'replay.counted', target_id: workspace.publicId, workspace_id: workspace.id });
  t.like(acts[1], { action: 'erasure.counted', reason: 'asked', workspace_id: workspace.id });
  t.is(acts.length, 2);
});
