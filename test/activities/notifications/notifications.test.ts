import { createHmac } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { createAlertActivities } from '../../../activities/alerts/alert-activities.ts';
import { receiverOwner, requesterOwner } from '../../../activities/deliveries/receiver-slots.ts';
import { createNotificationActivities } from '../../../activities/notifications/notification-activities.ts';
import { notificationWaitsMs } from '../../../contract/notifications/notification.ts';
import { insertTestCall } from '../../../db/alerts/alert-calls.ts';
import { deleteAlertWebhook, findAttemptedCall, rotateAlertSecret } from '../../../db/alerts/webhooks.ts';
import { readInstallation } from '../../../db/core/installation.ts';
import { sealedContexts } from '../../../db/core/sealed-columns.ts';
import { insertNotice } from '../../../db/notifications/notifications.ts';
import { findOnboardingLink, insertOnboardingLink } from '../../../db/onboarding/links.ts';
import type { EgressRequest, EgressResult } from '../../../egress/client.ts';
import { alertCallSchema } from '../../../openapi/alerts/webhook-routes.ts';
import { createWorkerShares } from '../../../worker/worker-shares.ts';
import { testAudit } from '../../harness/audit.ts';
import { anAlertWebhook } from '../../harness/deliveries/alert-webhooks.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { fillShare } from '../../harness/deliveries/fill-share.ts';
import { rememberingLog } from '../../harness/quiet-log.ts';
import { aChannel, testSecretBox } from '../../harness/tenants.ts';
import { tenantDatabase } from '../../harness/tenant-database.ts';
import { pluck } from '../../harness/pluck.ts';

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

async function stage(t: ExecutionContext) {
  const { db, tenant } = await tenantDatabase(t);
  const { organization, workspace } = tenant;
  const answers: Answer[] = [];
  const sent: EgressRequest[] = [];
  const egress = { send: async (request: EgressRequest) => (sent.push(request), resultOf(answers.shift() ?? 204)) };
  const log = rememberingLog();
  const { receivers: receiverShares } = createWorkerShares();
  const deps = { db, secretBox: testSecretBox, egress, receiverShares, log };
  const { attemptNotification } = createNotificationActivities(deps);
  const attempt = (notificationId: string) => attemptNotification({ notificationId });
  return {
    db,
    tenant,
    organization,
    workspace,
    answers,
    sent,
    log,
    receiverShares,
    attempt,
    /** The next attempt, as if its time had come. */
    send: async (notificationId: string) => {
      await db('notifications')
        .whereNotNull('last_attempt_at')
        .update({ last_attempt_at: new Date(0) });
      return (await attempt(notificationId)).result;
    },
    rows: () => db('notifications').orderBy('id'),
    /** The notifications whose workflows are to be started. */
    requested: async (): Promise<string[]> => {
      const rows = await db('workflow_starts').where({ type: 'sendNotification' }).delete('subject_id');
      return rows.map(({ subject_id: id }) => id);
    },
  };
}

async function alertStage(t: ExecutionContext, values: Parameters<typeof anAlertWebhook>[2] = {}) {
  const staged = await stage(t);
  const { db, tenant, organization, workspace, sent, log, requested, rows } = staged;
  const secret = await anAlertWebhook(db, tenant, values);
  const { collectAlerts } = createAlertActivities({ db, mailer: null, baseUrl: 'https://api.example.com', log });
  return {
    ...staged,
    secret,
    place: { organizationId: organization.id, workspaceId: workspace.id },
    key: { organizationId: organization.id, organizationPublicId: organization.publicId },
    audit: { ...testAudit, organizationId: organization.id },
    collect: async () => {
      await db('alert_digests').update({ created_at: new Date(0) });
      await collectAlerts({ organizationId: organization.publicId, intervalMs: 600_000 });
      return await requested();
    },
    end: (publicId: string, resolution = 'ended') =>
      db('alerts').where({ public_id: publicId }).update({ resolved_at: new Date(), resolution }),
    calls: rows,
    bodies: () => sent.map(({ body }) => alertCallSchema.parse(JSON.parse(String(body)))),
  };
}

async function noticeStage(t: ExecutionContext) {
  const staged = await stage(t);
  const { db, organization, workspace, tenant, requested } = staged;
  const keys = { secretBox: testSecretBox, tokenSalt: (await readInstallation(db)).tokenSalt };
  const owner = { organizationId: organization.id, workspaceId: workspace.id, createdBy: tenant.user.id };
  const linkId = await insertOnboardingLink(db, keys, {
    ...owner,
    label: 'x',
    channelType: 'chatapp',
    externalId: 'shop-17',
    notificationUrl: 'https://shop.example/hook',
  });
  const link = (await findOnboardingLink(db, { ...owner, publicId: linkId }))!;
  const channel = await aChannel(db, workspace);
  await insertNotice(db, { linkId: link.id, channelId: channel.id, isReconnected: false });
  const [noticeId = ''] = await requested();
  const context = sealedContexts.onboardingNotificationSecret(linkId);
  const secret = testSecretBox.open(link.sealedNotificationSecret!, context);
  const key = { organizationId: organization.id, publicId: linkId };
  const last = async () => (await findOnboardingLink(db, key))!.lastNotification;
  return { ...staged, linkId, channel, noticeId, secret, last };
}

/** A call about an alert, or a notice, with what it shares. */
const stages = {
  alerts: async (t: ExecutionContext) => {
    const staged = await alertStage(t);
    await anAlert(staged.db, staged.place);
    const [id = ''] = await staged.collect();
    return { ...staged, id };
  },
  notices: async (t: ExecutionContext) => {
    const staged = await noticeStage(t);
    return { ...staged, id: staged.noticeId };
  },
} as const;

for (const kind of ['alerts', 'notices'] as const) {
  test(`a refused notification is sent again until its schedule ends: ${kind}`, async (t) => {
    const { db, id, attempt, send, answers, rows } = await stages[kind](t);
    const results: string[] = [];
    for (const [count, waitMs] of notificationWaitsMs.entries()) {
      answers.push([500, 302, 'timeout', 404][count % 4] as Answer);
      await db('notifications')
        .whereNotNull('last_attempt_at')
        .update({ last_attempt_at: new Date(0) });
      const attempted = await attempt(id);
      results.push(attempted.result);
      t.is(attempted.waitMs, waitMs);
      const early = await attempt(id);
      t.is(early.result, 'early');
      t.true(early.waitMs! > 0 && early.waitMs! <= waitMs);
    }
    answers.push(500);
    results.push(await send(id));
    t.deepEqual(results, [...notificationWaitsMs.map(() => 'retrying'), 'failed']);
    t.deepEqual(await attempt(id), { result: 'ended', waitMs: null });
    const attemptCount = notificationWaitsMs.length + 1;
    t.like((await rows())[0], { outcome: 'failed', attempt_count: attemptCount, last_status: 500, last_error: null });
  });

  test(`a notification that could not be sent waits without a slot: ${kind}`, async (t) => {
    const { id, attempt, answers, sent, rows, organization, receiverShares } = await stages[kind](t);
    const isSoon = (waitMs: number | null) => waitMs !== null && waitMs >= 30_000 && waitMs <= 60_000;
    const organizationId = organization.id;
    for (const owner of [{ organizationId }, requesterOwner(kind, { organizationId })]) {
      const release = fillShare(receiverShares, owner);
      const { result, waitMs } = await attempt(id);
      t.is(result, 'unsent');
      t.true(isSoon(waitMs));
      const ofRetry = receiverShares.tryTake(receiverOwner({ organizationId, destinationId: 1 }));
      t.is(ofRetry !== undefined, 'credentialId' in owner, 'notifications leave slots for retries');
      ofRetry?.();
      release();
    }
    t.deepEqual(sent, []);
    answers.push('not_sent');
    t.is((await attempt(id)).result, 'unsent');
    t.like((await rows())[0], { outcome: null, attempt_count: 0 }, 'the receiver is not at fault');
    t.is((await attempt(id)).result, 'delivered');
    t.is(receiverShares.count(), 0);
  });
}

test('the last attempt of a call is shown with the next one', async (t) => {
  const { db, id, attempt, answers, organization } = await stages.alerts(t);
  const last = () => findAttemptedCall(db, organization.id);
  t.is(await last(), undefined);
  answers.push('timeout');
  await attempt(id);
  const failed = (await last())!;
  t.like(failed, { publicId: id, outcome: null, error: 'timeout', status: null, attemptCount: 1 });
  t.is(failed.nextAttemptAt!.getTime() - failed.at.getTime(), notificationWaitsMs[0]!);
  await db('notifications').update({ outcome: 'failed', attempt_count: 10 });
  t.is((await last())?.nextAttemptAt, null);
});

test('a notice is signed, sent once and names its channel', async (t) => {
  const { sent, attempt, noticeId, linkId, channel, workspace, secret, db, rows, last } = await noticeStage(t);
  const shown = { channelId: channel.publicId, outcome: null, attemptCount: 0, lastStatus: null };
  t.like(await last(), shown);
  // The id of a later customer.
  await db('onboarding_links').update({ external_id: 'shop-18' });
  t.deepEqual([(await attempt(noticeId)).result, (await attempt(noticeId)).result], ['delivered', 'ended']);
  t.is(sent.length, 1);
  const { url, headers, body } = sent[0]!;
  t.is(url, 'https://shop.example/hook');
  const { occurredAt, ...rest } = JSON.parse(String(body));
  t.deepEqual(rest, {
    id: noticeId,
    type: 'channel.connected',
    channelId: channel.publicId,
    channelType: 'chatapp',
    workspaceId: workspace.publicId,
    onboardingLinkId: linkId,
    externalId: 'shop-17',
  });
  t.true(Math.abs(Date.now() - Date.parse(occurredAt)) < 600_000);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${noticeId}.${headers['webhook-timestamp']}.${String(body)}`;
  t.is(headers['webhook-id'], noticeId);
  t.is(headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  t.like((await rows())[0], { outcome: 'delivered', attempt_count: 1, last_status: 204 });
  t.like(await last(), { ...shown, outcome: 'sent', attemptCount: 1, lastStatus: 204 });
  await db('notifications').update({ outcome: 'failed' });
  t.is((await last())?.outcome, 'exhausted');
});

test('a notice of a link without an address sends nothing', async (t) => {
  const { db, sent, attempt, noticeId } = await noticeStage(t);
  await db('onboarding_links').update({ notification_url: null, notification_secret_encrypted: null });
  t.is((await attempt(noticeId)).result, 'retrying');
  t.deepEqual(sent, []);
});

test('a call is signed, lists the alerts and is sent once', async (t) => {
  const { db, place, secret, sent, collect, send, bodies, organization, calls } = await alertStage(t);
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
  t.deepEqual(pluck(call?.alerts ?? [], 'alertId'), [critical, warning]);
  const signed = `${callId}.${headers['webhook-timestamp']}.${String(body)}`;
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64')).update(signed);
  t.is(headers['webhook-id'], callId);
  t.is(headers['webhook-signature'], `v1,${mac.digest('base64')}`);
  t.like((await calls())[0], { outcome: 'delivered', attempt_count: 1, last_status: 204, last_error: null });
});

test('a repeated collection makes no further call', async (t) => {
  const { db, place, collect, organization, log, calls } = await alertStage(t);
  await anAlert(db, place);
  await collect();
  const { collectAlerts } = createAlertActivities({ db, mailer: null, baseUrl: 'https://api.example.com', log });
  await collectAlerts({ organizationId: organization.publicId, intervalMs: 600_000 });
  await collectAlerts({ organizationId: organization.publicId, intervalMs: 0 });
  t.is((await calls()).length, 1);
});

test('a thousand alerts make one call with a count', async (t) => {
  const { db, place, collect, send, sent, bodies, tenant } = await alertStage(t);
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
  const { db, place, collect, send, end, bodies } = await alertStage(t);
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
  const { db, place, collect, send, bodies } = await alertStage(t, {
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

test('the end of an alert whose call failed is no call', async (t) => {
  const { db, place, collect, end, calls } = await alertStage(t);
  const alert = await anAlert(db, place);
  await collect();
  await db('notifications').update({ outcome: 'failed' });
  await end(alert);
  t.deepEqual(await collect(), []);
  t.is((await calls()).length, 1);
});

test('a call of a disabled or deleted webhook sends nothing', async (t) => {
  const { db, place, collect, send, sent, calls, key, audit } = await alertStage(t);
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
  const { db, place, collect, send, answers, sent, key, audit } = await alertStage(t);
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
  const { db, key, answers, send, bodies, calls, requested, organization, receiverShares } = await alertStage(t, {
    enabled: false,
  });
  fillShare(receiverShares, { organizationId: organization.id });
  const callId = (await insertTestCall(db, key)) ?? '';
  t.deepEqual(await requested(), [], 'only its request sends it');
  answers.push(503);
  t.deepEqual([await send(callId), await send(callId)], ['failed', 'ended']);
  t.like(bodies()[0], { id: callId, type: 'alert.test', count: 1 });
  t.like((await calls())[0], { outcome: 'failed', last_status: 503 });
});

test('a webhook that selects less later still gets the ends', async (t) => {
  const { db, place, collect, send, end, bodies } = await alertStage(t, { minSeverity: 'warning', kinds: null });
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
  const { db, key, place, collect, calls } = await alertStage(t);
  await anAlert(db, place);
  await collect();
  for (let n = 0; n < 25; n++) await insertTestCall(db, key);
  t.is((await calls()).filter(({ type }) => type === 'alert.test').length, 20);
  t.is((await calls()).length, 21);
});

test('secrets and addresses are not in the log', async (t) => {
  const { db, place, collect, send, log, secret } = await alertStage(t);
  await anAlert(db, place);
  for (const callId of await collect()) await send(callId);
  const text = JSON.stringify(log.lines);
  t.true(text.includes('alertCall.attempted'));
  t.false(text.includes(secret) || text.includes('alerts.example.com'));
});
