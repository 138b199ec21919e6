import { joinFleet } from '../../../db/ledger/shards/fleet.ts';
import { testHotPool } from '../../harness/database/hot-pool.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { button, goTo } from './dashboard-page.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

test('staff see the state of the installation at a glance', async (t) => {
  const site = await dashboardSite(t);
  const { page, look, db, databaseUrl, tenant, siteUrl, signIn, checkAccessibility, complaints } = site;
  await joinFleet(testHotPool(t, databaseUrl), { holder: 'host/1', roles: ['pump', 'main'] });
  await db('workers').update({ seen_at: db.raw("now() - interval '90 seconds'") });
  const { token } = await aStaffKey(db);
  await signIn(tenant.user.email);
  await page.goto(`${siteUrl}/app/staff`);
  await page.getByLabel('Staff key').fill(token);
  await page.getByLabel('Reason').fill('Alert');
  await button(page, 'Open').click();
  await goTo(page, 'Status', 'Staff');
  await page.getByText('0 of 1 live').waitFor();
  await page.getByRole('table', { name: 'Workers' }).getByText('silent').waitFor();
  await page.getByText('Temporal does not answer').waitFor();
  await look('staff-status');
  await page.locator('.badge.bad', { hasText: '256 shards unserved' }).waitFor();
  await checkAccessibility();

  await db('workers').delete();
  await button(page, 'Refresh').click();
  await page.getByText('No worker runs.').waitFor();
  const acts = await db('audit_entries').where({ action: 'status.read', reason: 'Alert' });
  t.is(acts.length, 2);
  t.deepEqual(complaints, []);
});
