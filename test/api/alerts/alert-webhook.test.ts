import test, { type ExecutionContext } from 'ava';
import { settleNotification } from '../../../db/notifications/notifications.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { noTemporal, testApi } from '../../harness/api/api.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { aMember, aTenant, testSecretBox } from '../../harness/tenants.ts';

const url = 'https://alerts.example.com/hook';

async function stage(t: ExecutionContext, sendNotification?: WorkflowStarts['sendNotification']) {
  const temporal = () => ({ ...noTemporal, ...(sendNotification && { sendNotification }) });
  const api = await testApi(t, { temporal });
  const tenant = await aTenant(api.db);
  const path = `/organizations/${tenant.organization.publicId}/alert-webhook`;
  const at = { key: tenant.apiKey };
  return {
    ...{ ...api, ...tenant, path, at },
    get: async () => (await api.call(`GET ${path}`, at)).body,
    put: async (body: object = { url }) => (await api.call(`PUT ${path}`, { ...at, body })).body,
    rotate: (body: object, idempotencyKey?: string) =>
      api.call(`POST ${path}/rotate-secret`, {
        ...at,
        body,
        ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
      }),
  };
}

test('an alert webhook is set, shown without its secret, and deleted', async (t) => {
  const { call, path, at, get, put, organization } = await stage(t);
  const organizationId = organization.publicId;
  const unset = { organizationId, url: null, enabled: false, minSeverity: 'warning', kinds: null, lastDelivery: null };
  t.like(await get(), unset);
  const created = await put();
  t.regex(created.secret, /^whsec_.{44}$/);
  t.like(created, { organizationId, url, enabled: true, minSeverity: 'warning', kinds: null });
  const body = { url: `${url}2`, enabled: false, minSeverity: 'critical', kinds: ['replay.failed'] };
  const { secret, ...changed } = await put(body);
  t.is(secret, null, 'shown once');
  t.like(changed, body);
  t.deepEqual(await get(), changed);
  t.is((await call(`DELETE ${path}`, at)).status, 204);
  t.is((await call(`DELETE ${path}`, at)).status, 204, 'a repeat changes nothing');
  t.like(await get(), unset);
  t.not((await put()).secret, created.secret);
});

test('two concurrent calls create one webhook with one secret', async (t) => {
  const { db, put } = await stage(t);
  const answers = await Promise.all([put(), put(), put()]);
  t.is(answers.filter(({ secret }) => secret !== null).length, 1);
  t.is((await db('alert_webhook_secrets')).length, 1);
});

test('the secret is stored encrypted for its organization', async (t) => {
  const { db, put, organization } = await stage(t);
  const { secret } = await put();
  const { secret_encrypted: sealed } = await db('alert_webhook_secrets').first();
  t.false(String(sealed).includes(secret));
  t.is(testSecretBox.open(sealed, sealedContexts.alertWebhookSecret(organization.publicId)), secret);
});

test('a rotation returns a new secret once per key', async (t) => {
  const { db, put, get, rotate, refused, path, at } = await stage(t);
  await refused('ALERT_WEBHOOK_NOT_SET', `POST ${path}/rotate-secret`, { ...at, body: {} });
  const { secret } = await put();
  const first = await rotate({ overlapSeconds: 3_600 }, 'one');
  t.not(first.body.secret, secret);
  t.truthy(first.body.previousSecretExpiresAt);
  t.deepEqual((await rotate({ overlapSeconds: 3_600 }, 'one')).body, first.body);
  t.is((await rotate({ overlapSeconds: 0 }, 'one')).body.code, 'IDEMPOTENCY_KEY_REUSED');
  t.is((await get()).previousSecretExpiresAt, first.body.previousSecretExpiresAt);
  const second = await rotate({});
  t.is(second.body.previousSecretExpiresAt, null);
  t.is((await get()).previousSecretExpiresAt, null);
  t.is((await db('alert_webhook_secrets').whereNull('expires_at')).length, 1);
  t.is((await rotate({ overlapSeconds: 604_801 })).status, 400);
});

test('addresses that are not allowed are refused', async (t) => {
  const { refused, path, at, db } = await stage(t);
  for (const address of ['https://127.0.0.1/hook', 'https://user:pass@alerts.example.com/', 'https://[::1]/'])
    await refused('URL_NOT_ALLOWED', `PUT ${path}`, { ...at, body: { url: address } });
  for (const body of [{}, { url: 'x' }, { url, kinds: [] }, { url, kinds: ['none'] }, { url, secret: 'whsec_x' }])
    await refused('VALIDATION_ERROR', `PUT ${path}`, { ...at, body });
  t.deepEqual(await db('alert_webhooks'), []);
});

test('only admins of the organization reach its alert webhook', async (t) => {
  const { db, call, path, organization, workspace, put } = await stage(t);
  await put();
  const member = await aMember(db, organization, 'member');
  await db('workspace_members').insert({ workspace_id: workspace.id, user_id: member.id, role: 'admin' });
  const { headers } = await aSession(db, member);
  const stranger = await aTenant(db);
  for (const [route, body] of [
    [`GET ${path}`],
    [`PUT ${path}`, { url }],
    [`DELETE ${path}`],
    [`POST ${path}/rotate-secret`, {}],
    [`POST ${path}/test`],
  ] as const) {
    t.is((await call(route, { headers, body })).status, 403, route);
    t.is((await call(route, { key: stranger.apiKey, body })).status, 404, route);
  }
  t.is((await db('alert_webhooks')).length, 1);
});

test('a test call answers with its outcome, which is the last delivery', async (t) => {
  const stopped: { state: 'not_started'; cause: undefined } = { state: 'not_started', cause: undefined };
  let run: WorkflowStarts['sendNotification'] = () => Promise.resolve(stopped);
  const { db, call, refused, path, at, put, get } = await stage(t, (test) => run(test));
  await refused('ALERT_WEBHOOK_NOT_SET', `POST ${path}/test`, at);
  await put();
  await refused('WORKFLOW_UNAVAILABLE', `POST ${path}/test`, at);
  t.is((await get()).lastDelivery, null);
  run = async ({ notificationId }) => {
    const { id } = await db('notifications').where({ public_id: notificationId }).first('id');
    const answer = { isAccepted: false, status: null, error: 'connect_refused' };
    await settleNotification(db, { id, attemptCount: 0, type: 'alert.test', ...answer });
    return { state: 'ended', result: 'failed' };
  };
  const { status, body } = await call(`POST ${path}/test`, at);
  t.is(status, 200);
  t.like(body.delivery, { type: 'alert.test', outcome: 'failed', status: null, error: 'connect_refused', attempts: 1 });
  t.deepEqual((await get()).lastDelivery, body.delivery);
  run = () => Promise.resolve({ state: 'unknown', cause: undefined });
  await refused('PLATFORM_OUTCOME_UNKNOWN', `POST ${path}/test`, at);
});

test('changes of an alert webhook are in the audit log', async (t) => {
  const { db, call, path, at, put, rotate, organization } = await stage(t);
  await put();
  await rotate({});
  await call(`POST ${path}/test`, at);
  await call(`DELETE ${path}`, at);
  await call(`DELETE ${path}`, at);
  const entries = await db('audit_entries').where({ organization_id: organization.id }).orderBy('id');
  t.deepEqual(
    entries.map(({ action, target_id: target }) => [action, target]),
    ['set', 'rotated', 'tested', 'deleted'].map((word) => [
      word === 'rotated' ? 'alertWebhookSecret.rotated' : `alertWebhook.${word}`,
      organization.publicId,
    ]),
  );
});
