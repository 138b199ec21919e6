import type { ExecutionContext } from 'ava';
import { builtGuides } from '../../../harness/built-guides.ts';
import { browserTest, type DashboardSite, dashboardSite } from '../dashboard-site.ts';

const pages = ['', 'receiving', 'errors', 'scaling', 'client-libraries', 'adr/', 'nothing-here'];

browserTest('the guides can be read and searched by everyone', async (t) => {
  const site = await dashboardSite(t, {
    guidesFolder: await builtGuides(),
    gatewayUrl: 'https://gateway.acme.example',
  });
  const elsewhere: string[] = [];
  site.page.on('request', (request) => {
    if (!request.url().startsWith(site.siteUrl)) elsewhere.push(request.url());
  });

  for (const path of pages) {
    await site.page.goto(`${site.siteUrl}/guides/${path}`, { waitUntil: 'networkidle' });
    await site.look(`guides-${path.replace('/', '') || 'start'}`);
  }
  await site.page.emulateMedia({ colorScheme: 'dark' });
  await site.page.goto(`${site.siteUrl}/guides/`);
  await site.page.locator('html.dark').waitFor();
  await search(t, site);
  t.deepEqual(site.complaints, []);
  t.deepEqual(elsewhere, [], 'the guides load nothing from other sites');
});

async function search(t: ExecutionContext<unknown>, site: DashboardSite): Promise<void> {
  const { page } = site;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('gateway edges');
  const result = page
    .getByRole('dialog')
    .getByRole('link', { name: /The gateway.*Edges/ })
    .first();
  await result.waitFor();
  await site.checkAccessibility();
  await result.click();
  await page.waitForURL('**/guides/gateway#edges');
  await page.getByRole('link', { name: 'Next' }).waitFor();
  await page.goto(`${site.siteUrl}/guides/client-libraries`);
  await page.getByRole('main').getByText('https://gateway.acme.example/platform').first().waitFor();

  await page.getByRole('switch', { name: 'Dark colors' }).click();
  await page.reload();
  t.is(await page.locator('html.dark').count(), 0, 'the chosen colors stay');
}
