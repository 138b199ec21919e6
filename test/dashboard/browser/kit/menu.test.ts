import { openOrganizationMenu } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

test('the menu fits 900 pixels and lists no entry twice', async (t) => {
  const { page, tenant, signIn, look, complaints } = await dashboardSite(t);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(tenant.user.email);
  await openOrganizationMenu(page);
  const pages = "document.querySelector('.side-pages')";
  const hiddenPx = await page.evaluate<number>(`${pages}.scrollHeight - ${pages}.clientHeight`);
  t.is(hiddenPx, 0);
  const labels = await page.locator('.side-pages li').allTextContents();
  t.true(labels.length > 15);
  t.deepEqual([...new Set(labels)], labels);
  await look('menu');
  t.deepEqual(complaints, []);
});

test('the foot of the menu stays in sight on a low screen', async (t) => {
  const { page, tenant, signIn } = await dashboardSite(t);
  await page.setViewportSize({ width: 1440, height: 500 });
  await signIn(tenant.user.email);
  await openOrganizationMenu(page);
  const foot = await page.getByRole('button', { name: 'Sign out', exact: true }).boundingBox();
  t.true(foot !== null && foot.y + foot.height <= 500);
});
