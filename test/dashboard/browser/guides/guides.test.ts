import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { buildGuides } from '../../../../dev/guides/build-guides.ts';
import { browserTest, type DashboardSite, dashboardSite } from '../dashboard-site.ts';

const pages = ['', 'receiving', 'errors', 'scaling', 'client-libraries', 'adr/', 'nothing-here'];

browserTest('the guides can be read and searched by everyone', async (t) => {
  const guidesFolder = await mkdtemp(join(tmpdir(), 'messaging-channels-guides-'));
  t.teardown(() => rm(guidesFolder, { recursive: true, force: true }));
  await buildGuides({ folder: guidesFolder });
  const site = await dashboardSite(t, { guidesFolder, gatewayUrl: 'https://gateway.acme.example' });
  const elsewhere: string[] = [];
  site.page.on('request', (request) => {
    if (!request.url().startsWith(site.siteUrl)) elsewhere.push(request.url());
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 390]) await readPages(t, site, { colorScheme, width });
  }
  await search(t, site);
  t.deepEqual(site.complaints, []);
  t.deepEqual(elsewhere, [], 'the guides load nothing from other sites');
});

interface Screen {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

async function readPages(t: ExecutionContext<unknown>, site: DashboardSite, screen: Screen): Promise<void> {
  const { page, siteUrl } = site;
  const { colorScheme, width } = screen;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  for (const path of pages) {
    await page.goto(`${siteUrl}/guides/${path}`, { waitUntil: 'networkidle' });
    await site.checkAccessibility();
    const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    t.is(excess, 0, `${path} fits ${width} pixels`);
    t.is(await page.locator('html.dark').count(), colorScheme === 'dark' ? 1 : 0);
  }
  await page.goto(`${siteUrl}/guides/`);
  await site.picture(`guides-${width}-${colorScheme}`);
}

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
  await site.picture('guides-search');
  await result.click();
  await page.waitForURL('**/guides/gateway#edges');
  await page.getByRole('link', { name: 'Next' }).waitFor();
  await page.goto(`${site.siteUrl}/guides/client-libraries`);
  await page.getByRole('main').getByText('https://gateway.acme.example/platform').first().waitFor();

  await page.getByRole('switch', { name: 'Dark colors' }).click();
  await page.reload();
  t.is(await page.locator('html.dark').count(), 0, 'the chosen colors stay');
}
