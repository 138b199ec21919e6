import type { ExecutionContext } from 'ava';
import { buildDashboard } from '../../../dev/sites/build-dashboard.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { type Sender, startSender } from '../../harness/system/platform-sender.ts';
import { startSystem, type System, type SystemOptions } from '../../harness/system/system.ts';
import { openBrowser, type OpenBrowser } from './open-browser.ts';

export interface DashboardSystem extends System, OpenBrowser {
  readonly sender: Sender;
  readonly visit: (page: string) => Promise<void>;
  /** Script errors and policy violations. */
  readonly complaints: readonly string[];
}

export async function dashboardSystem(
  t: ExecutionContext<unknown>,
  options: SystemOptions = {},
): Promise<DashboardSystem> {
  await buildDashboard();
  const system = await startSystem(t, options);
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
  return { ...system, ...browser, sender, visit, complaints };
}
