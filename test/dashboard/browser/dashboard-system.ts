import type { ExecutionContext } from 'ava';
import { buildDashboard } from '../../../dev/build-dashboard.ts';
import { aSession } from '../../harness/people/sessions.ts';
import { type Sender, startSender } from '../../harness/system/platform-sender.ts';
import { startSystem, type System, type SystemOptions } from '../../harness/system/system.ts';
import { openBrowser, type OpenBrowser } from './open-browser.ts';

export interface DashboardSystem extends System, OpenBrowser {
  readonly sender: Sender;
  /** Goes to a page of the tenant's workspace, as its admin. */
  readonly visit: (page: string) => Promise<void>;
  /** What the pages' policy has refused, and what their scripts threw. */
  readonly complaints: readonly string[];
}

/** The whole service as real processes, and a browser in which the tenant's admin is signed in. */
export async function dashboardSystem(
  t: ExecutionContext<unknown>,
  options: SystemOptions = {},
): Promise<DashboardSystem> {
  await buildDashboard();
  const system = await startSystem(t, options);
  const sender = await startSender(t, system);
  const browser = await openBrowser(t);
  const { context, page } = browser;
  // A colour that is on its way to another has the contrast of neither.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const siteUrl = system.apiUrls[0]!;
  const { keptCookie } = await aSession(system.db, system.tenant.user, 'development');
  await context.addCookies([{ ...keptCookie, url: siteUrl }]);

  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser notes every refusal; those that a test wants are read on the page.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  const { organization, workspace } = system.tenant;
  const visit = async (path: string): Promise<void> => {
    await page.goto(`${siteUrl}/app/${organization.publicId}/${workspace.publicId}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  return { ...system, ...browser, sender, visit, complaints };
}
