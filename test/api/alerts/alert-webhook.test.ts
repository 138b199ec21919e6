import test, { type ExecutionContext } from 'ava';
import { settleNotification } from '../../../db/notifications/notifications.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import type { WorkflowStarts } from '../../../workflow-starts/workflow-starts.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { tenantStage } from '../../harness/api/stages.ts';
import { testSecretBox } from '../../harness/tenants.ts';

const url = 'https://alerts.example.com/hook';

async function stage(t: ExecutionContext, sendNotification?: WorkflowStarts['sendNotification']) {
  const temporal = () => ({ ...(sendNotification && { sendNotification }) });
  const api = await tenantStage(t, { starts: temporal });
  const { tenant } = api;
  const path = `/organizations/${tenant.organization.publicId}/alert-webhook`;
  const at = { key: tenant.apiKey };
  return {
    ...api,
    path,
    at,
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

test('an invalid alert webhook is refused', async (t) => {
  const { refused, path, at, db } = await stage(t);
  for (const body of [{}, { url: 'x' }, { url, kinds: [] }, { url, kinds: ['none'] }, { url, secret: 'whsec_x' }])
    await refused('VALIDATION_ERROR', `PUT ${path}`, { ...at, body });
  t.deepEqual(await db('alert_webhooks'), []);
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
    fieldsOf(entries, 'action', 'target_id'),
    ['set', 'rotated', 'tested', 'deleted'].map((word) => [
      word === 'rotated' ? 'alertWebhookSecret.rotated' : `alertWebhook.${word}`,
      organization.publicId,
    ]),
  );
});
