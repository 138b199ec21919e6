import { alertKindNames } from '../../../contract/alerts/kinds.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

test('alerts are listed, counted in the menu, muted and acknowledged', async (t) => {
  const { db, tenant, page, look, signIn, complaints } = await dashboardSite(t);
  const { organization, workspace, user } = tenant;
  const channel = await aChannel(db, workspace);
  const place = { organizationId: organization.id, workspaceId: workspace.id, channelId: channel.id };
  await anAlert(db, { ...place, kind: 'deliveries.exhausted', label: 'receiver.example.com of Support' });
  await anAlert(db, { ...place, label: 'orders.example.com of Support' });
  await anAlert(db, { ...place, workspaceId: null, channelId: null, kind: 'replay.failed', label: 'rpl_4fT9aPq2' });
  await signIn(user.email, `/app/${organization.publicId}/alerts`);
  await page.getByRole('heading', { name: 'Alerts' }).waitFor();
  await page.getByRole('button', { name: 'Organization 3 open' }).waitFor();
  const rows = page.getByRole('row');
  await rows.nth(3).waitFor();
  await page.getByLabel('Severity').selectOption('critical');
  await page.getByText('used up the retry schedule').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await look('alerts-list');

  await page.getByRole('button', { name: /Details of .*orders/ }).click();
  await look('alerts-dialog');
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await page.getByText('open, muted').waitFor();
  await page.getByRole('button', { name: /Details of .*rpl_/ }).click();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('button', { name: 'Organization 2 open' }).waitFor();
  t.deepEqual(await db('alerts').where({ resolution: 'acknowledged' }).pluck('kind'), ['replay.failed']);

  await page.getByRole('button', { name: 'Email preferences' }).click();
  await page.getByLabel('Email me').selectOption('critical');
  await page.getByLabel('A replay ended with failures').uncheck();
  await look('alerts-preferences');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Preferences saved.').waitFor();
  const [rule] = await db('alert_rules');
  t.like(rule, { workspace_id: null, min_severity: 'critical', user_id: user.id });
  t.is(rule?.kinds.length, alertKindNames.length - 1);
  t.deepEqual(complaints, []);
});

test('an empty list of alerts names destinations that need attention', async (t) => {
  const { db, tenant, page, signIn, complaints } = await dashboardSite(t);
  const channel = await aChannel(db, tenant.workspace);
  await aWebhook(db, channel);
  await signIn(tenant.user.email, `/app/${tenant.organization.publicId}/alerts`);
  await page.getByText('No alert is open.').waitFor();
  t.is(await page.getByText('destination needs').count(), 0);
  const probe = { circuit_opened_at: new Date(), circuit_probe_at: new Date(Date.now() + 3_600_000) };
  await db('destinations').update({ ...probe, circuit: 'open', circuit_reason: 'failures' });
  await page.reload();
  await page.getByText('1 destination needs attention').waitFor();
  await page.getByRole('link', { name: 'overview', exact: true }).click();
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  t.deepEqual(complaints, []);
});

test('an admin of the organization sets, rotates and deletes its alert webhook', async (t) => {
  const { db, tenant, page, look, signIn, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email, `/app/${tenant.organization.publicId}/alerts`);
  await page.getByRole('button', { name: 'Alert webhook' }).click();
  await page.getByLabel('URL').fill('https://ops.example.com/alerts');
  await page.getByLabel('Send').selectOption('critical');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Alert webhook saved' }).waitFor();
  t.regex(await page.getByRole('dialog').innerText(), /whsec_/);
  await look('alerts-webhook-secret');
  await page.getByRole('button', { name: 'Done' }).click();
  t.like(await db('alert_webhooks').first(), {
    url: 'https://ops.example.com/alerts',
    min_severity: 'critical',
    kinds: null,
  });
  await page.getByRole('button', { name: 'Alert webhook' }).click();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('heading', { name: 'Rotation complete' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  t.is((await db('alert_webhook_secrets')).length, 2);
  const call = { public_id: 'alc_00000001', type: 'alert.test', attempt_count: 1, last_attempt_at: new Date() };
  const [{ id: webhookId }] = await db('alert_webhooks').select('id');
  const failed = { outcome: 'failed', last_error: 'connect_refused' };
  await db('notifications').insert({ ...call, ...failed, alert_webhook_id: webhookId });
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Alert webhook' }).click();
  await page.getByText('connect_refused').waitFor();
  await look('alerts-webhook');
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('Alert webhook deleted.').waitFor();
  t.deepEqual(await db('alert_webhooks'), []);
  t.deepEqual(complaints, []);
});
