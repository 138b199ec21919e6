import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createAlertActivities } from '../../../activities/alerts/alert-activities.ts';
import { createAlertCallActivities } from '../../../activities/alerts/alert-call-activities.ts';
import { noticeWaitsMs } from '../../../contract/deliveries/notice-schedule.ts';
import { claimDueCalls, insertTestCall } from '../../../db/alerts/alert-calls.ts';
import { deleteAlertWebhook, findAttemptedCall } from '../../../db/alerts/webhooks.ts';
import { rotateAlertSecret } from '../../../db/alerts/webhook-secrets.ts';
import type { EgressRequest, EgressResult } from '../../../egress/client.ts';
import { alertCallSchema } from '../../../openapi/alerts/webhook-schema.ts';
import { createWorkerShares } from '../../../worker/worker-shares.ts';
import { testAudit } from '../../harness/audit.ts';
import { testDatabase } from '../../harness/database/database.ts';
import { anAlertWebhook } from '../../harness/deliveries/alert-webhooks.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { fillShare } from '../../harness/deliveries/fill-share.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aTenant, testSecretBox } from '../../harness/tenants.ts';

type Answer = number | 'timeout' | 'not_sent';

const times = { startedAtMs: 0, durationMs: 1 };

function resultOf(answer: Answer): EgressResult {
  if (answer === 'timeout') return { outcome: 'no_response', error: 'timeout', detail: '', ...times };
  if (answer === 'not_sent') return { outcome: 'not_sent', reason: 'queue_full' };
  return {
    outcome: 'answered',
    status: answer,
    headers: {},
    body: Buffer.alloc(0),
    bodyTruncated: false,
    bodyError: null,
    ...times,
  };
}

async function stage(t: ExecutionContext, values: Parameters<typeof anAlertWebhook>[2] = {}) {
  const { db } = await testDatabase(t);
  const tenant = await aTenant(db);
  const { organization, workspace } = tenant;
  const secret = await anAlertWebhook(db, tenant, values);
  const answers: Answer[] = [];
  const sent: EgressRequest[] = [];
  const egress = { send: async (request: EgressRequest) => (sent.push(request), resultOf(answers.shift() ?? 204)) };
  const log = rememberingLog();
  const { collectAlerts } = createAlertActivities({ db, mailer: null, baseUrl: 'https://api.example.com', log });
  const { receivers: receiverShares } = createWorkerShares();
  const deps = { db, secretBox: testSecretBox, egress, receiverShares, log };
  const { sendAlertCall } = createAlertCallActivities(deps);
  const place = { organizationId: organization.id, workspaceId: workspace.id };
  return {
    ...{ db, tenant, organization, place, secret, answers, sent, log, receiverShares },
    key: { organizationId: organization.id, organizationPublicId: organization.publicId },
    audit: { ...testAudit, organizationId: organization.id },
    send: (callId: string) => sendAlertCall({ callId }),
    collect: async () => {
      await db('alert_digests').update({ created_at: new Date(0) });
      await collectAlerts({ organizationId: organization.publicId, intervalMs: 600_000 });
      return await claimDueCalls(db, { limit: 10 });
    },
    end: (publicId: string, resolution = 'ended') =>
      db('alerts').where({ public_id: publicId }).update({ resolved_at: new Date(), resolution }),
    calls: () => db('alert_calls').orderBy('id'),
    bodies: () => sent.map(({ body }) => alertCallSchema.parse(JSON.parse(String(body)))),
  };
}

test('a call is signed, lists the alerts and is sent once', async (t) => {
  const { db, place, secret, sent, collect, send, bodies, organization, calls } = await stage(t);
  const warning = await anAlert(db, place);
  const critical = await anAlert(db, { ...place, kind: 'destination.disabled' });
  const [callId = '', ...others] = await collect();
  t.deepEqual(others, []);
  t.deepEqual([await send(callId), await send(callId)], ['delivered', 'ended']);
  t.is(sent.length, 1);
  const { url, headers, body } = sent[0]!;
  t.is(url, 'https://alerts.example.com/hook');
  const [call] = bodies();
  t.like(call, { id: callId, type: 'alert.opened', count: 2, organizationId: organization.publicId });
  t.deepEqual(
    call?.alerts.map(({ alertId }) => alertId),
    [critical, warning],
  );
  const signed = `${callId}.${headers['webhook-timestamp']}.${String(body)}`;
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(signed);
  t.is(headers['webhook-id'], callId);
  t.is(headers['webhook-signature'], `v1,${mac.digest('base64')}`);
  t.like((await calls())[0], { outcome: 'delivered', attempt_count: 1, last_status: 204, last_error: null });
});

test('a repeated collection makes no further call', async (t) => {
  const { db, place, collect, organization, log, calls } = await stage(t);
  await anAlert(db, place);
  await collect();
  const { collectAlerts } = createAlertActivities({ db, mailer: null, baseUrl: 'https://api.example.com', log });
  await collectAlerts({ organizationId: organization.publicId, intervalMs: 600_000 });
  await collectAlerts({ organizationId: organization.publicId, intervalMs: 0 });
  t.is((await calls()).length, 1);
});

test('a thousand alerts make one call with a count', async (t) => {
  const { db, place, collect, send, sent, bodies, tenant } = await stage(t);
  await db.raw(
    `insert into alerts (public_id, organization_id, workspace_id, kind, severity, cause_key, subject_type, subject_label)
     select 'alr_' || lpad(n::text, 8, '0'), ?, ?, 'destination.disabled', 'critical', n, 'webhook', repeat('x', 300)
     from generate_series(1, 1000) n`,
    [place.organizationId, tenant.workspace.id],
  );
  for (const callId of await collect()) t.is(await send(callId), 'delivered');
  t.is(sent.length, 1);
  const [call] = bodies();
  t.is(call?.count, 1_000);
  t.is(call?.alerts.length, 50);
  t.true((sent[0]?.body?.length ?? 0) < 100_000);
  t.deepEqual(await collect(), [], 'nothing remains to be announced');
});

test('the end of an announced alert is a call, however it ended', async (t) => {
  const { db, place, collect, send, end, bodies } = await stage(t);
  const earlier = await anAlert(db, { ...place, label: 'announced before the webhook got calls' });
  await db('alert_webhooks').update({ enabled: false });
  t.deepEqual(await collect(), []);
  await db('alert_webhooks').update({ enabled: true });
  const ended = await anAlert(db, place);
  const acknowledged = await anAlert(db, { ...place, kind: 'replay.failed' });
  for (const callId of await collect()) await send(callId);
  await end(earlier);
  await end(ended);
  await end(acknowledged, 'acknowledged');
  const due = await collect();
  t.is(due.length, 1);
  for (const callId of due) await send(callId);
  const call = bodies().at(-1);
  t.like(call, { type: 'alert.resolved', count: 2 });
  t.deepEqual(call?.alerts.map(({ alertId, status }) => [alertId, status]).sort(), [
    ...[ended, acknowledged].sort().map((id) => [id, 'resolved']),
  ]);
});

test('a webhook gets only the severities and kinds that it selects', async (t) => {
  const { db, place, collect, send, bodies } = await stage(t, {
    minSeverity: 'critical',
    kinds: ['destination.circuit_open', 'destination.disabled'],
  });
  await anAlert(db, place);
  await anAlert(db, { ...place, kind: 'deliveries.exhausted' });
  t.deepEqual(await collect(), []);
  await anAlert(db, { ...place, kind: 'destination.disabled' });
  for (const callId of await collect()) await send(callId);
  t.deepEqual(
    bodies().map(({ count, alerts }) => [count, alerts[0]?.kind]),
    [[1, 'destination.disabled']],
  );
});

test('a refused call is due again until its schedule ends', async (t) => {
  const { db, place, collect, send, answers, calls, organization } = await stage(t);
  await anAlert(db, place);
  const [callId = ''] = await collect();
  t.deepEqual(await claimDueCalls(db, { limit: 10 }), [], 'a claimed call is not due');
  answers.push('not_sent');
  t.is(await send(callId), 'unsent');
  t.like((await calls())[0], { attempt_count: 0, outcome: null }, 'the receiver is not at fault');
  answers.push(302, 'timeout', ...noticeWaitsMs.slice(1).map(() => 500));
  const results = [];
  for (let count = 0; count <= noticeWaitsMs.length; count++) {
    results.push(await send(callId));
    if (count === 1) t.like(await findAttemptedCall(db, organization.id), { outcome: null, error: 'timeout' });
  }
  t.deepEqual(results, [...noticeWaitsMs.map(() => 'retrying'), 'failed']);
  t.is(await send(callId), 'ended');
  t.like((await calls())[0], { outcome: 'failed', next_attempt_at: null, last_status: 500 });
  t.like(await findAttemptedCall(db, organization.id), { outcome: 'failed', status: 500, attemptCount: 10 });
});

test('a call beyond the share of its organization is due again', async (t) => {
  const { db, place, key, organization, sent, collect, send, calls, receiverShares } = await stage(t);
  await anAlert(db, place);
  const [callId = ''] = await collect();
  const release = fillShare(receiverShares, { organizationId: organization.id });
  t.is(await send(callId), 'unsent');
  t.deepEqual(sent, []);
  t.like((await calls())[0], { attempt_count: 0, outcome: null });
  const testId = (await insertTestCall(db, key)) ?? '';
  t.is(await send(testId), 'delivered', 'a test has another queue');
  release();
  t.is(await send(callId), 'delivered');
  t.is(receiverShares.count(), 0);
});

test('the end of an alert whose call failed is no call', async (t) => {
  const { db, place, collect, end, calls } = await stage(t);
  const alert = await anAlert(db, place);
  await collect();
  await db('alert_calls').update({ outcome: 'failed', next_attempt_at: null });
  await end(alert);
  t.deepEqual(await collect(), []);
  t.is((await calls()).length, 1);
});

test('a call of a disabled or deleted webhook sends nothing', async (t) => {
  const { db, place, collect, send, sent, calls, key, audit } = await stage(t);
  await anAlert(db, place);
  const [disabled = ''] = await collect();
  await db('alert_webhooks').update({ enabled: false });
  t.deepEqual([await send(disabled), await send(disabled)], ['skipped', 'ended']);
  t.like((await calls())[0], { outcome: 'skipped' });
  await db('alert_webhooks').update({ enabled: true });
  await anAlert(db, { ...place, kind: 'replay.failed' });
  const [deleted = ''] = await collect();
  await deleteAlertWebhook(db, { ...key, audit });
  t.is(await send(deleted), 'ended');
  t.deepEqual(sent, []);
  t.deepEqual(await db('alert_webhook_secrets'), []);
});

test('calls carry both signatures during the overlap of a rotation', async (t) => {
  const { db, place, collect, send, answers, sent, key, audit } = await stage(t);
  await anAlert(db, place);
  const [callId = ''] = await collect();
  answers.push(500, 500, 500);
  await send(callId);
  await rotateAlertSecret(db, testSecretBox, { ...key, audit, overlapSeconds: 3_600, idempotencyKeyHash: null });
  await send(callId);
  await rotateAlertSecret(db, testSecretBox, { ...key, audit, overlapSeconds: 0, idempotencyKeyHash: null });
  await send(callId);
  const counts = sent.map(({ headers }) => headers['webhook-signature']?.split(' ').length);
  t.deepEqual(counts, [1, 2, 1]);
});

test('a test call is sent once, also if the webhook is disabled', async (t) => {
  const { db, key, answers, send, bodies, calls } = await stage(t, { enabled: false });
  const callId = (await insertTestCall(db, key)) ?? '';
  t.deepEqual(await claimDueCalls(db, { limit: 10 }), [], 'only its request sends it');
  answers.push(503);
  t.deepEqual([await send(callId), await send(callId)], ['failed', 'ended']);
  t.like(bodies()[0], { id: callId, type: 'alert.test', count: 1 });
  t.like((await calls())[0], { outcome: 'failed', last_status: 503 });
});

test('a webhook that selects less later still gets the ends', async (t) => {
  const { db, place, collect, send, end, bodies } = await stage(t, { minSeverity: 'warning', kinds: null });
  const warning = await anAlert(db, place);
  for (const callId of await collect()) await send(callId);
  await db('alert_webhooks').update({ min_severity: 'critical', kinds: ['replay.failed'] });
  const unselected = await anAlert(db, place);
  t.deepEqual(await collect(), []);
  await db('alert_webhooks').update({ min_severity: 'warning', kinds: null });
  await end(unselected);
  await db('alert_webhooks').update({ min_severity: 'critical', kinds: ['replay.failed'] });
  await end(warning);
  for (const callId of await collect()) await send(callId);
  t.deepEqual(
    bodies().map(({ type, alerts }) => [type, alerts.map(({ alertId }) => alertId)]),
    [
      ['alert.opened', [warning]],
      ['alert.resolved', [warning]],
    ],
  );
});

test('an organization keeps a bounded number of test calls', async (t) => {
  const { db, key, place, collect, calls } = await stage(t);
  await anAlert(db, place);
  await collect();
  for (let n = 0; n < 25; n++) await insertTestCall(db, key);
  t.is((await calls()).filter(({ type }) => type === 'alert.test').length, 20);
  t.is((await calls()).length, 21);
});

test('secrets and addresses are not in the log', async (t) => {
  const { db, place, collect, send, log, secret } = await stage(t);
  await anAlert(db, place);
  for (const callId of await collect()) await send(callId);
  const text = JSON.stringify(log.lines);
  t.true(text.includes('alertCall.attempted'));
  t.false(text.includes(secret) || text.includes('alerts.example.com'));
});
