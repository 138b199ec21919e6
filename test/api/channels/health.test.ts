import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { channelStage } from '../../harness/api/stages.ts';
import { aChannel } from '../../harness/tenants.ts';

const found = {
  status: 'warning',
  reasons: ['quality_medium', 'permissions_missing'],
  alert_reason: 'quality_medium,permissions_missing',
  quality: 'medium',
  tier: '250',
  throughput: 'standard',
  account_status: 'connected',
  name_status: 'approved',
  name: 'Bakery',
  username: null,
  picture_url: 'https://pictures.example/1',
  business_account_id: '4711',
  permissions_granted: ['read'],
  permissions_missing: ['write'],
  subscribed_fields: ['messages'],
  missing_fields: ['mention'],
};

async function stage(t: ExecutionContext) {
  const checks: string[] = [];
  let state: 'ended' | 'not_started' | 'unknown' = 'ended';
  const temporal = (db: Knex): Partial<WorkflowStarts> => ({
    checkHealth: async ({ channelId }) => {
      checks.push(channelId);
      if (state !== 'ended') return { state, cause: undefined };
      const { id } = await db('channels').where({ public_id: channelId }).first('id');
      await db('channel_health')
        .where({ channel_id: id })
        .update({ ...found, checked_at: new Date() });
      return { state: 'ended', result: 'checked' };
    },
  });
  const api = await channelStage(t, { starts: temporal });
  const { tenant, channel } = api;
  const path = `/channels/${channel.publicId}/health`;
  const answering = (next: typeof state): void => void (state = next);
  return { ...api, path, checks, answering, at: { key: tenant.apiKey } };
}

test('a channel that was never checked is unknown', async (t) => {
  const { call, path, at, channel } = await stage(t);
  t.like((await call(`GET ${path}`, at)).body, {
    channelId: channel.publicId,
    status: 'unknown',
    reasons: [],
    checkedAt: null,
    lastFailure: null,
    quality: null,
    tier: null,
    permissions: null,
    credentialExpiresAt: null,
    pictureUrl: null,
  });
});

test('a refresh returns the new result and is recorded', async (t) => {
  const { call, path, at, db, channel } = await stage(t);
  const { body, status } = await call(`POST ${path}/refresh`, at);
  t.is(status, 200);
  t.like(body, {
    status: 'warning',
    quality: 'medium',
    tier: '250',
    businessAccountId: '4711',
    name: 'Bakery',
    permissions: { granted: ['read'], missing: ['write'] },
    subscription: { fields: ['messages'], missing: ['mention'] },
    pictureUrl: 'https://pictures.example/1',
  });
  t.deepEqual(fieldsOf(body.reasons, 'code', 'severity'), [
    ['quality_medium', 'warning'],
    ['permissions_missing', 'warning'],
  ]);
  t.deepEqual((await call(`GET ${path}`, at)).body, body);
  const entry = await db('audit_entries').where({ action: 'channelHealth.checked' }).first();
  t.is(entry.target_id, channel.publicId);
});

test('a repeated refresh makes no call within a minute', async (t) => {
  const { call, path, at, db, checks } = await stage(t);
  const first = await call(`POST ${path}/refresh`, at);
  t.deepEqual((await call(`POST ${path}/refresh`, at)).body, first.body);
  t.is(checks.length, 1);
  const past = new Date(Date.now() - 61_000);
  await db('channel_health').update({ checked_at: past, failure: 'platform_unavailable', failed_at: new Date() });
  t.like((await call(`POST ${path}/refresh`, at)).body, { lastFailure: { code: 'platform_unavailable' } });
  t.is(checks.length, 1, 'a failed check counts, too');
  await db('channel_health').update({ failed_at: past });
  await call(`POST ${path}/refresh`, at);
  t.is(checks.length, 2);
});

test('a refresh during a Temporal outage is refused', async (t) => {
  const { call, refused, path, at, answering } = await stage(t);
  answering('not_started');
  await refused('WORKFLOW_UNAVAILABLE', `POST ${path}/refresh`, at);
  answering('unknown');
  t.like((await call(`POST ${path}/refresh`, at)).body, { status: 'unknown', checkedAt: null });
});

test('a disconnected channel is failing and not checked', async (t) => {
  const { call, refused, path, at, db, channel, checks } = await stage(t);
  await db('channel_health').update({ ...found, checked_at: new Date() });
  await db('channels').where({ id: channel.id }).update({ disconnected_at: new Date() });
  const { body } = await call(`GET ${path}`, at);
  t.like(body, { status: 'failing', reasons: [{ code: 'disconnected' }] });
  await refused('CHANNEL_DISCONNECTED', `POST ${path}/refresh`, at);
  t.is(checks.length, 0);
});

test('the health of channels is listed by status in pages', async (t) => {
  const { call, refused, db, at, workspace, channel } = await stage(t);
  const second = await aChannel(db, workspace);
  const third = await aChannel(db, workspace);
  await db('channel_health')
    .where({ channel_id: second.id })
    .update({ ...found, checked_at: new Date() });
  const route = `GET /workspaces/${workspace.publicId}/channel-health`;
  const idsOf = (body: { channels: { channelId: string }[] }) => body.channels.map(({ channelId }) => channelId);
  const first = (await call(`${route}?limit=2`, at)).body;
  t.deepEqual(idsOf(first), [third.publicId, second.publicId]);
  t.deepEqual(idsOf((await call(`${route}?limit=2&cursor=${first.nextCursor}`, at)).body), [channel.publicId]);
  t.deepEqual(idsOf((await call(`${route}?status=warning`, at)).body), [second.publicId]);
  t.deepEqual(idsOf((await call(`${route}?status=failing`, at)).body), []);
  await refused('VALIDATION_ERROR', `${route}?status=bad`, at);
  await refused('VALIDATION_ERROR', `${route}?cursor=ch_00000000`, at);
});

test('the env and the record of a number have its business account', async (t) => {
  const { call, db, at, workspace, channel } = await stage(t);
  const env = async () =>
    (await call(`GET /platform/channels/${channel.publicId}/env`, { ...at, workspace: workspace.publicId })).body;
  t.is((await env()).businessAccountId, null);
  await db('channel_health').update(found);
  const { businessAccountId, values } = await env();
  t.is(businessAccountId, '4711');
  const record = await call(`GET /platform/channels/${channel.publicId}`, { ...at, workspace: workspace.publicId });
  t.is(record.body.businessAccountId, '4711');
  t.false('CHATAPP_BUSINESS_ACCOUNT_ID' in values, 'clients of the last release refuse names that they do not know');
});
