import type { WorkersState } from '../../../db/upkeep/workers-state.ts';
import type { NamespaceState } from '../../../workflow-starts/namespace-state.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

test('every page says what is not possible without Temporal or workers', async (t) => {
  let temporal: NamespaceState = 'unreachable';
  let workers: WorkersState = 'ok';
  const site = await dashboardSite(t, {
    namespaceState: () => Promise.resolve(temporal),
    workersState: () => Promise.resolve(workers),
  });
  const { page, look, tenant, siteUrl, signIn, checkAccessibility, complaints } = site;
  await signIn(tenant.user.email);
  await page.goto(`${siteUrl}/app/staff`);
  const notice = page.getByRole('status');
  await notice.filter({ hasText: 'The workflow service is not available.' }).waitFor();
  await look('without-temporal');
  await checkAccessibility();

  temporal = 'ok';
  workers = 'missing';
  await page.reload();
  await notice.filter({ hasText: 'Some deliveries wait, because no worker serves them' }).waitFor();

  workers = 'ok';
  const answered = page.waitForResponse(/readyz/);
  await page.reload();
  await (await answered).finished();
  await page.getByRole('heading', { level: 1 }).waitFor();
  t.is(await notice.count(), 0);
  t.deepEqual(complaints, []);
});
