import { aWebhook } from '../../../harness/deliveries/ledger.ts';
import { aSession } from '../../../harness/people/sessions.ts';
import { aChannel } from '../../../harness/tenants.ts';
import { insertPastDeliveries } from '../past-deliveries.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';
import { loadAll, measureScroll } from './scroll-measure.ts';

/** `DASHBOARD_ROWS=100000` loads that many rows and logs the cost of scrolling. */
const rowCount = Number(process.env['DASHBOARD_ROWS'] ?? 1_500);

test('a long list renders only visible rows, and the keyboard reaches all', async (t) => {
  const { page, context, db, tenant, siteUrl, complaints } = await dashboardSite(t);
  t.timeout(600_000);
  const channel = await aChannel(db, tenant.workspace, { resourceId: '100000000000011' });
  const destinationId = await aWebhook(db, channel);
  await insertPastDeliveries(db, {
    channel: { ...channel, resourceId: '' },
    destinationId,
    count: rowCount,
    spanSeconds: 3_600,
  });
  const { keptCookie } = await aSession(db, tenant.user, 'development');
  await context.addCookies([{ ...keptCookie, url: siteUrl }]);
  await page.goto(`${siteUrl}/app/${tenant.organization.publicId}/${tenant.workspace.publicId}/deliveries`);
  await page.getByRole('grid').waitFor();

  await loadAll(page, rowCount);
  t.true((await page.locator('.delivery-space > [role=row]').count()) < 80);
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
  const active = page.locator('.delivery-row.active');
  t.is(await active.getAttribute('aria-rowindex'), String(rowCount));
  t.true(await active.isVisible());
  await page.keyboard.press('Home');
  t.is(await active.getAttribute('aria-rowindex'), '2');
  if (process.env['DASHBOARD_ROWS']) t.log(await measureScroll(page));
  t.deepEqual(complaints, []);
});
