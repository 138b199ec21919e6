import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { matchPath } from '../../../../dashboard/routes/match-route.ts';
import { createBusyWorkspace } from '../busy-workspace.ts';
import { browserTest as test } from '../dashboard-site.ts';
import { type DashboardSystem, dashboardSystem } from '../dashboard-system.ts';
import { checkedViews, show } from '../take-picture.ts';

/** Read as text, because only the build understands the pages. */
const routes = readFileSync(new URL('../../../../dashboard/pages/routes.ts', import.meta.url), 'utf8');
const patterns = [...routes.matchAll(/route\('([^']+)'/g)].map(([, path = '']) => path);

const organizationPages = [
  ...['', 'overview', 'workspaces', 'customers', 'members', 'invitations', 'keys', 'agents', 'onboarding', 'replays'],
  ...['replays/new', 'usage', 'alerts', 'erasures', 'audit', 'settings'],
];

/** Returns what is wrong with the open page in either theme and at either width. */
async function problemsOf({ page, findViolations }: DashboardSystem): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const view of checkedViews) {
    await show(page, view);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    const primaryCount = await page.locator('main :is(button, a).primary:visible').count();
    const found = [
      ...(await findViolations()),
      ...(overflow > 0 ? [`is ${overflow} pixels too wide`] : []),
      ...(primaryCount > 1 ? [`has ${primaryCount} primary buttons`] : []),
    ];
    problems.push(...found.map((text) => `${new URL(page.url()).pathname} ${view.colorScheme} ${view.width}: ${text}`));
  }
  return problems;
}

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
}

async function pagesOf(system: DashboardSystem): Promise<readonly string[]> {
  const { organization, workspace } = system.tenant;
  const org = `/app/${organization.publicId}`;
  const busy = (await createBusyWorkspace(system)).map(([, path]) => path);
  const replay = busy.find((path) => path.startsWith('replays/rpl_')) ?? '';
  const container = busy.find((path) => path.includes('/containers/')) ?? '';
  const posts = container.replace(/containers\/.*/, 'scheduled-posts');
  return [
    ...['/app/account', '/app/staff', '/app/staff/status', '/app/invitations/accept', '/app/no-such-page'],
    ...[...organizationPages, replay].map((page) => `${org}/${page}`.replace(/\/$/, '')),
    ...[...busy, posts, 'alerts', 'members', 'settings'].map((page) =>
      `${org}/${workspace.publicId}/${page}`.replace(/\/$/, ''),
    ),
  ];
}

test('every dashboard page passes axe in both themes and widths', async (t) => {
  const system = await dashboardSystem(t);
  const { page, complaints, apiUrls } = system;
  const paths = await pagesOf(system);
  const missed = patterns.filter((pattern) => !paths.some((path) => matchPath(pattern, path.replace(/\?.*/, ''))));
  t.true(patterns.length > 30);
  t.deepEqual(missed, []);
  const problems: string[] = [];
  for (const path of paths) {
    await page.goto(apiUrls[0]! + path);
    await settle(page);
    problems.push(...(await problemsOf(system)));
  }
  t.deepEqual(problems, []);
  t.deepEqual(complaints, []);
});

test('the pages for visitors pass axe in both themes and widths', async (t) => {
  const system = await dashboardSystem(t);
  const { page, complaints, apiUrls, api, tenant, channel } = system;
  await channel();
  const problems: string[] = [];
  const rights = ['deliveries.retry', 'subscriptions.manage', 'replays.manage'];
  const create = `POST /workspaces/${tenant.workspace.publicId}/portal-links`;
  await page.goto((await api.call(create, { rights })).body.url);
  for (const name of ['Channels', 'Deliveries', 'Replays']) {
    await page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name, exact: true }).click();
    await settle(page);
    problems.push(...(await problemsOf(system)));
  }
  await page.context().clearCookies();
  await page.goto(`${apiUrls[0]}/app`);
  await page.getByLabel('Email address').waitFor();
  problems.push(...(await problemsOf(system)));
  t.deepEqual(problems, []);
  t.deepEqual(complaints, []);
});
