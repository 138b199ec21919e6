import test, { type ExecutionContext } from 'ava';
import type { Knex } from 'knex';
import { commitDefaultWebhook, failDefaultWebhook } from '../../../db/webhooks/default-webhooks.ts';
import { insertWorkspace } from '../../../db/organizations/workspaces.ts';
import { endRollout } from '../../../db/webhooks/rollout-runs.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { noTemporal } from '../../harness/api/api.ts';
import { aChannel, aTenant } from '../../harness/tenants.ts';
import { rolloutSteps } from '../../harness/channels/default-webhooks.ts';

const webhookUrl = 'https://default.example.com/hook';
const body = { webhookUrl, verifyToken: 'default token' };

const passing = (db: Knex): Partial<WorkflowStarts> => ({
  saveDefaultWebhook: async ({ defaultWebhookId }) => ({
    state: 'ended',
    result: await commitDefaultWebhook(db, defaultWebhookId),
  }),
});

async function stage(t: ExecutionContext, temporal: (db: Knex) => Partial<WorkflowStarts> = passing) {
  const api = await tenantStage(t, { starts: temporal });
  const { organization, workspace, key } = api;
  const route = {
    organization: `/organizations/${organization.publicId}/default-webhook`,
    workspace: `/workspaces/${workspace.publicId}/default-webhook`,
  };
  return { ...api, route, at: { key } };
}

test('a saved default is returned without its verify token', async (t) => {
  const { call, route, at, tenant } = await stage(t);
  const organizationId = tenant.organization.publicId;
  const unset = { webhookUrl: null, verifiedAt: null, inheritedWebhookUrl: null, lastVerification: null };
  t.deepEqual((await call(`GET ${route.organization}`, at)).body, { organizationId, workspaceId: null, ...unset });

  const saved = await call(`PUT ${route.organization}`, { ...at, body });

  t.like(saved.body, { organizationId, workspaceId: null, webhookUrl });
  t.false(JSON.stringify(saved.body).includes(body.verifyToken));
  t.deepEqual((await call(`GET ${route.organization}`, at)).body, saved.body);
  t.like((await call(`GET ${route.workspace}`, at)).body, { webhookUrl: null, inheritedWebhookUrl: webhookUrl });
  await call(`DELETE ${route.organization}`, at);
  t.is((await call(`GET ${route.organization}`, at)).body.webhookUrl, null);
  t.is((await call(`DELETE ${route.organization}`, at)).status, 204, 'a repeat changes nothing');
});

test('changes of a default are in the audit log', async (t) => {
  const { db, call, route, at, tenant } = await stage(t);
  await call(`PUT ${route.workspace}`, { ...at, body });
  const { body: rollout } = await call(`POST ${route.workspace}/apply`, { ...at, body: {} });
  await call(`POST ${route.workspace}/rollouts/${rollout.rolloutId}/cancel`, at);
  await call(`DELETE ${route.workspace}`, at);
  const entries = await db('audit_entries').where({ workspace_id: tenant.workspace.id }).orderBy('id');
  t.deepEqual(fieldsOf(entries, 'action', 'target_id'), [
    ['defaultWebhook.set', tenant.workspace.publicId],
    ['webhookRollout.started', rollout.rolloutId],
    ['webhookRollout.cancelled', rollout.rolloutId],
    ['defaultWebhook.cleared', tenant.workspace.publicId],
  ]);
});

for (const [status, code] of [
  ['failed', 'WEBHOOK_URL_VERIFICATION_FAILED'],
  ['blocked', 'URL_NOT_ALLOWED'],
  ['abandoned', 'PLATFORM_OUTCOME_UNKNOWN'],
] as const) {
  test(`a default whose save ends ${status} answers ${code}`, async (t) => {
    const { call, refused, route, at } = await stage(t, (db) => ({
      saveDefaultWebhook: async ({ defaultWebhookId: id }) => {
        await failDefaultWebhook(db, { id, status, failure: 'The GET probe failed' });
        return { state: 'ended', result: 'failed' };
      },
    }));
    await refused(code, `PUT ${route.organization}`, { ...at, body });
    t.is((await call(`GET ${route.organization}`, at)).body.webhookUrl, null);
  });
}

test('a default saved during a Temporal outage never commits', async (t) => {
  const { db, refused, route, at } = await stage(t, () => noTemporal);
  await refused('WORKFLOW_UNAVAILABLE', `PUT ${route.organization}`, { ...at, body });
  const { id } = await db('default_webhooks').first('id');
  t.is(await commitDefaultWebhook(db, id), 'expired');
});

test('an invalid default or rollout is refused', async (t) => {
  const { refused, route, at } = await stage(t);
  for (const wrong of [
    {},
    { webhookUrl },
    { ...body, other: 1 },
    { ...body, webhookUrl: 'nothing' },
    { ...body, verifyToken: ' ' },
    { ...body, verifyToken: 'x'.repeat(513) },
  ]) {
    await refused('VALIDATION_ERROR', `PUT ${route.workspace}`, { ...at, body: wrong });
  }
  await refused('VALIDATION_ERROR', `POST ${route.workspace}/apply`, { ...at, body: { dryRun: 'yes' } });
  await refused('VALIDATION_ERROR', `POST ${route.workspace}/apply`, { ...at, body: { other: true } });
  await refused('DEFAULT_WEBHOOK_NOT_SET', `POST ${route.workspace}/apply`, { ...at, body: {} });
});

test('a rollout is created once per key and one at a time', async (t) => {
  const { db, call, refused, route, at, tenant } = await stage(t);
  await aChannel(db, tenant.workspace);
  await call(`PUT ${route.organization}`, { ...at, body });
  const keyed = { ...at, headers: { 'idempotency-key': 'once' } };
  const first = await call(`POST ${route.organization}/apply`, { ...keyed, body: { dryRun: true } });
  t.is(first.status, 202);
  t.like(first.body, {
    status: 'running',
    dryRun: true,
    replaceOwn: false,
    total: 1,
    applied: 0,
    trigger: 'requested',
  });
  const again = await call(`POST ${route.organization}/apply`, { ...keyed, body: { dryRun: true } });
  t.deepEqual(again.body, first.body);
  await refused('IDEMPOTENCY_KEY_REUSED', `POST ${route.organization}/apply`, { ...keyed, body: {} });
  await refused('ROLLOUT_RUNNING', `POST ${route.organization}/apply`, { ...at, body: {} });
  await endRollout(db, { publicId: first.body.rolloutId, status: 'completed' });
  await refused('ROLLOUT_ENDED', `POST ${route.organization}/rollouts/${first.body.rolloutId}/cancel`, at);
  t.is((await call(`POST ${route.organization}/apply`, { ...at, body: {} })).status, 202);
});

test('a rollout shows its progress and results in pages', async (t) => {
  const { db, call, refused, route, at, tenant } = await stage(t);
  const channels = [await aChannel(db, tenant.workspace), await aChannel(db, tenant.workspace)];
  await call(`PUT ${route.workspace}`, { ...at, body });
  const { rolloutId } = (await call(`POST ${route.workspace}/apply`, { ...at, body: {} })).body;
  const steps = await rolloutSteps(db, rolloutId);
  for (const { id } of channels) await steps.save(id);
  const rollout = `${route.workspace}/rollouts/${rolloutId}`;

  t.like((await call(`GET ${rollout}`, at)).body, { total: 2, applied: 2, status: 'running', webhookUrl });
  const first = (await call(`GET ${rollout}/results?limit=1`, at)).body;
  t.like(first.results, [{ channelId: channels[0]!.publicId, outcome: 'applied', reason: null }]);
  const second = (await call(`GET ${rollout}/results?limit=1&cursor=${first.nextCursor}`, at)).body;
  t.is(second.results[0].channelId, channels[1]!.publicId);
  t.is(second.nextCursor, null);
  t.is((await call(`GET ${rollout}/results?outcome=failed`, at)).body.results.length, 0);
  await refused('VALIDATION_ERROR', `GET ${rollout}/results?cursor=ch_00000000`, at);

  const cancels = await Promise.all([1, 2, 3].map(() => call(`POST ${rollout}/cancel`, at)));
  for (const cancel of [...cancels, await call(`POST ${rollout}/cancel`, at)]) {
    t.deepEqual([cancel.status, cancel.body.status], [202, 'cancelled']);
  }
  t.is((await db('audit_entries').where({ action: 'webhookRollout.cancelled', target_id: rolloutId })).length, 1);
  t.is((await call(`GET ${route.workspace}/rollouts`, at)).body.rollouts[0].rolloutId, rolloutId);
  t.deepEqual((await call(`GET ${route.organization}/rollouts`, at)).body.rollouts, []);
  await refused('ROLLOUT_NOT_FOUND', `GET ${route.organization}/rollouts/${rolloutId}`, at);
});

test('results show nothing of a workspace that a channel moved to', async (t) => {
  const { db, call, route, at, tenant } = await stage(t);
  const channel = await aChannel(db, tenant.workspace);
  const target = await insertWorkspace(db, { organizationId: tenant.organization.id, name: 'B', kind: 'customer' });
  const rollouts: string[] = [];
  for (const owner of [route.workspace, route.organization]) {
    await call(`PUT ${owner}`, { ...at, body });
    const { rolloutId } = (await call(`POST ${owner}/apply`, { ...at, body: { replaceOwn: true } })).body;
    await db('webhook_rollout_results').insert({
      rollout_id: db('webhook_rollouts').select('id').where({ public_id: rolloutId }),
      channel_id: channel.id,
      outcome: 'applied',
    });
    rollouts.push(`${owner}/rollouts/${rolloutId}/results`);
  }
  await db('channels').where({ id: channel.id }).update({ workspace_id: target.id, display_name: 'New name' });
  const ofWorkspace = (await call(`GET ${rollouts[0]}`, at)).body.results;
  const ofOrganization = (await call(`GET ${rollouts[1]}`, at)).body.results;
  t.like(ofWorkspace, [
    { channelId: channel.publicId, workspaceId: tenant.workspace.publicId, displayName: null, outcome: 'applied' },
  ]);
  t.like(ofOrganization, [{ workspaceId: target.publicId, displayName: 'New name' }]);
});

test("another tenant's rollout is not found", async (t) => {
  const { db, call, refused, route, at } = await stage(t);
  await call(`PUT ${route.organization}`, { ...at, body });
  const { rolloutId } = (await call(`POST ${route.organization}/apply`, { ...at, body: {} })).body;
  const other = await aTenant(db);
  const key = other.apiKey;
  const theirs = `/organizations/${other.organization.publicId}/default-webhook`;
  await refused('ROLLOUT_NOT_FOUND', `GET ${theirs}/rollouts/${rolloutId}`, { key });
  await refused('ROLLOUT_NOT_FOUND', `POST ${theirs}/rollouts/${rolloutId}/cancel`, { key });
  await refused('ORGANIZATION_NOT_FOUND', `GET ${route.organization}/rollouts/${rolloutId}`, { key });
  await refused('WORKSPACE_NOT_FOUND', `PUT ${route.workspace}`, { key, body });
  await refused('VALIDATION_ERROR', `GET ${theirs}/rollouts?cursor=${rolloutId}`, { key });
});
