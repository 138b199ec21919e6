import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import anyTest from 'ava';
import { createBusyWorkspace } from './busy-workspace.ts';
import { type DashboardSystem, dashboardSystem } from './dashboard-system.ts';

/** `DASHBOARD_PICTURES=docs` takes the documentation's screenshots; a path takes all pages in every theme and width. */
const wanted = process.env['DASHBOARD_PICTURES'];
const docsTest = wanted === 'docs' ? anyTest : anyTest.skip;
const pagesTest = wanted !== undefined && wanted !== 'docs' ? anyTest : anyTest.skip;
const docsFolder = join(import.meta.dirname, '../../../docs/pictures');
const env = { RETRY_SCHEDULE_SECONDS: '30,120' };

docsTest('screenshots for the documentation', async (t) => {
  const system = await dashboardSystem(t, { env });
  await system.page.setViewportSize({ width: 1280, height: 800 });
  const take = (name: string, path: string) => takePicture(system, path, join(docsFolder, `dashboard-${name}.png`));
  const pages = new Map(await createBusyWorkspace(system, { beforeReplay: () => take('deliveries', 'deliveries') }));
  for (const name of ['channel', 'delivery', 'replay']) await take(name, pages.get(name) ?? '');
  t.deepEqual(system.complaints, []);
});

pagesTest('screenshots of every page', async (t) => {
  const system = await dashboardSystem(t, { env });
  const { page } = system;
  const pages = await createBusyWorkspace(system);
  const folder = wanted ?? '';
  await mkdir(folder, { recursive: true });
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const [name, path] of pages) {
      await takePicture(system, path, join(folder, `${name}-${colorScheme}-${width}.png`), { fullPage: true });
    }
  }
  t.deepEqual(system.complaints, []);
});

/** Live pages never become idle, so the wait has a limit. */
async function takePicture(
  { page, visit }: DashboardSystem,
  ...[path, file, options]: [path: string, file: string, options?: { readonly fullPage: boolean }]
): Promise<void> {
  await visit(path);
  await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => undefined);
  await page.screenshot({ path: file, ...options });
}
