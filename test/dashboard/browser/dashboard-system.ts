import type { ExecutionContext } from 'ava';
import { buildDashboard } from '../../../dev/sites/build-dashboard.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { type Sender, startSender } from '../../harness/system/platform-sender.ts';
import { type SharedSystem, sharedSystem } from '../../harness/system/shared-system.ts';
import { startSystem, type System, type SystemOptions } from '../../harness/system/system.ts';
import { openBrowser, type OpenBrowser } from './open-browser.ts';

/** What a system of its own has too. */
type ServedSystem = Omit<SharedSystem, 'inbox' | 'platform'> & {
  readonly platform: Omit<SharedSystem['platform'], 'failMedia'>;
};

interface Visit extends OpenBrowser {
  readonly sender: Sender;
  readonly visit: (page: string) => Promise<void>;
  /** Script errors and policy violations. */
  readonly complaints: readonly string[];
}

export type DashboardSystem = ServedSystem & Visit;

/** Opens the dashboard of the system that the tests share. */
export async function dashboardSystem(t: ExecutionContext<unknown>): Promise<SharedSystem & Visit> {
  await buildDashboard();
  const system = await sharedSystem(t);
  return { ...system, ...(await openDashboard(t, system)) };
}

/** For tests that configure the processes or the whole platform. */
export async function ownDashboardSystem(
  t: ExecutionContext<unknown>,
  options: SystemOptions = {},
): Promise<System & Visit> {
  await buildDashboard();
  const system = await startSystem(t, options);
  return { ...system, ...(await openDashboard(t, system)) };
}

async function openDashboard(t: ExecutionContext<unknown>, system: ServedSystem): Promise<Visit> {
  const sender = await startSender(t, system);
  const browser = await openBrowser(t);
  const { context, page } = browser;
  const siteUrl = system.apiUrls[0]!;
  const { keptCookie } = await aSession(system.db, system.tenant.user, 'development');
  await context.addCookies([{ ...keptCookie, url: siteUrl }]);

  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // Browsers log every error response. Tests check the expected ones on the page.
    const isErrorResponse = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isErrorResponse) complaints.push(message.text());
  });
  const { organization, workspace } = system.tenant;
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${siteUrl}/app/${organization.publicId}/${workspace.publicId}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  return { ...browser, sender, visit, complaints };
}
