import { aChannel } from '../../harness/tenants.ts';
import { goTo, heading } from './dashboard-page.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

const DAY_MS = 86_400_000;

test('an admin sees usage by day and workspace', async (t) => {
  const { page, tenant, signIn, look, complaints, db } = await dashboardSite(t);
  const { organization, workspace } = tenant;
  const channel = await aChannel(db, workspace);
  const nowMs = Date.now();
  for (let day = 0; day < 28; day++) {
    await db('usage_days').insert({
      day: new Date(nowMs - day * DAY_MS).toISOString().slice(0, 10),
      organization_id: organization.id,
      workspace_id: workspace.id,
      channel_id: channel.id,
      events: 1_000 + 40 * day,
      deliveries: 1_500 + 60 * (day % 7),
      attempts: 1_600 + 90 * (day % 5),
      sends: 300 + 9 * day,
      publishes: day % 3,
    });
  }
  await signIn(tenant.user.email);
  await goTo(page, 'Usage');
  await heading(page, 'Usage').waitFor();
  await page.getByText('The first count is still running.').waitFor();
  await page.getByRole('rowheader', { name: 'Team' }).waitFor();
  t.is(await page.locator('figure.chart').count(), 5);
  await page.getByRole('button', { name: '1 y' }).click();
  await page.getByRole('heading', { name: 'By month' }).waitFor();
  await page.getByText('Events (per month)').waitFor();
  await look('usage');
  await page.getByRole('button', { name: '90 d' }).click();
  await page.getByRole('link', { name: 'Download CSV' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  t.regex(download.suggestedFilename(), /^usage-since-\d{4}-\d\d-\d\d\.csv$/);
  t.deepEqual(complaints, []);
});
