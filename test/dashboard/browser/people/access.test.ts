import type { Knex } from 'knex';
import type { Page } from 'playwright-core';
import { mediaTypes, type MediaType } from '../../../../contract/containers/media-types.ts';
import { aChannel, aMember, type Tenant } from '../../../harness/tenants.ts';
import { aSession } from '../../../harness/people/sessions.ts';
import { button, goTo, goToTab, heading } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite, type DashboardSite } from '../dashboard-site.ts';

test('the keyboard alone creates and revokes a key with visible focus', async (t) => {
  const { page, tenant, signIn, complaints } = await dashboardSite(t);
  const { keyboard } = page;
  const focused = () => page.locator(':focus');
  await signIn(tenant.user.email);
  await heading(page, 'Team').waitFor();
  await page.reload();
  await heading(page, 'Team').waitFor();
  await keyboard.press('Tab');
  t.is(await focused().textContent(), 'Skip to content');
  await tabTo(page, 'Organization');
  await keyboard.press('Enter');
  await tabTo(page, 'API keys');
  await keyboard.press('Enter');
  await page.locator('h1:focus').waitFor();
  t.is(await focused().textContent(), 'API keys');

  await keyboard.press('Tab');
  t.regex((await focused().textContent()) ?? '', /Create key/);
  await keyboard.press('Enter');
  await page.locator('input:focus').waitFor();
  await keyboard.type('By keyboard');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'API key created' }).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  t.regex((await focused().textContent()) ?? '', /Create key/, 'the dialog restores the focus');

  await tabTo(page, 'Revoke By keyboard');
  await keyboard.press('Enter');
  await tabTo(page, 'Revoke key');
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /By keyboard/ }).waitFor({ state: 'detached' });
  await page.locator('h1:focus').waitFor(); // the button that opened the dialog no longer exists
  t.deepEqual(complaints, []);
});

async function tabTo(page: Page, name: string): Promise<void> {
  for (let count = 0; count < 60; count++) {
    const focused = page.locator(':focus');
    const label = (await focused.count()) === 0 ? '' : await focused.evaluate(nameOf);
    if (label.trim() === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach "${name}"`);
}

interface Named {
  readonly ariaLabel: string | null;
  readonly labels?: readonly { readonly textContent: string }[] | null;
  readonly textContent: string;
}

const nameOf = ({ ariaLabel, labels, textContent }: Named): string =>
  ariaLabel ?? labels?.[0]?.textContent ?? textContent;

test('every page fits long names on a phone', async (t) => {
  const site = await dashboardSite(t);
  const { page, tenant, signIn, siteUrl, complaints } = site;
  await fill(site);
  await signIn(tenant.user.email);
  await page.setViewportSize({ width: 390, height: 860 });
  for (const path of pagesOf(site)) {
    await page.goto(`${siteUrl}${path}`);
    await page.locator('main h1').waitFor();
    await page.waitForLoadState('networkidle');
    t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= 390'), path);
  }
  t.deepEqual(complaints, []);
});

test('dialogs and the phone menu pass axe', async (t) => {
  const site = await dashboardSite(t);
  const { page, tenant, signIn, checkAccessibility, complaints } = site;
  await fill(site);
  for (const colorScheme of ['light', 'dark'] as const) await look(colorScheme);
  t.deepEqual(complaints, []);

  async function look(colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 1280, height: 860 });
    if (colorScheme === 'light') await signIn(tenant.user.email);
    for (const [name, dialog, menu, tab] of dialogs) {
      await goTo(page, menu);
      if (tab !== undefined) await goToTab(page, tab);
      await page.getByRole('button', { name }).first().click();
      await page.getByRole('dialog', { name: dialog }).waitFor();
      await page.waitForLoadState('networkidle');
      await checkAccessibility();
      await page.keyboard.press('Escape');
    }
    await page.setViewportSize({ width: 390, height: 860 });
    await button(page, 'Menu').click();
    await checkAccessibility();
    await page.setViewportSize({ width: 1280, height: 860 });
  }
});

test('the container form works by keyboard and shows API errors', async (t) => {
  const { page, signIn, db, tenant, checkAccessibility, complaints } = await dashboardSite(t);
  const { keyboard } = page;
  await signIn(tenant.user.email, await containersPath(db, tenant));
  await button(page, 'Create container').first().focus();
  await keyboard.press('Enter');
  await tabTo(page, 'Type');
  await keyboard.type('Image');
  await tabTo(page, 'Image URL');
  await keyboard.type('https://media.example.com/1.jpg');
  await tabTo(page, 'Caption (optional)');
  await keyboard.type('#a'.repeat(31));
  await tabTo(page, 'Tag a person');
  await keyboard.press('Enter');
  await tabTo(page, 'Username');
  for (const typed of ['@some.body', '29', '12.5']) {
    await keyboard.type(typed);
    await keyboard.press('Tab');
  }
  await tabTo(page, 'Tag a person');
  await keyboard.press('Enter');
  await tabTo(page, 'Remove person 2');
  await keyboard.press('Enter');
  await page.getByRole('group', { name: 'Person 2' }).waitFor({ state: 'detached' });
  t.is(await page.locator(':focus').getAttribute('class'), 'choice-group', 'the focus stays in the form');
  await tabTo(page, 'Create container');
  await keyboard.press('Enter');
  await page.getByRole('alert').getByText('more than 30 hashtags').waitFor();
  t.is(await page.getByLabel('Username').inputValue(), '@some.body', 'the input is kept');
  await checkAccessibility();
  t.deepEqual(complaints, []);
});

test('the container form shows the fields of each media type', async (t) => {
  const { page, signIn, db, tenant, look, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email, await containersPath(db, tenant));
  await button(page, 'Create container').first().click();
  await button(page, 'Tag a person').click();
  await page.getByLabel('Username').fill('some.body');
  const dialog = page.getByRole('dialog');
  for (const type of mediaTypes) {
    await page.getByLabel('Type').selectOption(type);
    for (const [label, types] of optionalFields) {
      t.is(await dialog.getByLabel(label).count(), types.includes(type) ? 1 : 0, `${label} of ${type}`);
    }
    await look(`container-${type}`);
    t.true(await dialog.evaluate((element: Box) => element.scrollWidth <= element.clientWidth), `${type} fits`);
  }
  t.deepEqual(complaints, []);
});

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

const optionalFields: readonly (readonly [label: RegExp, types: readonly MediaType[]])[] = [
  [/^Caption/, ['IMAGE', 'VIDEO', 'REELS', 'CAROUSEL']],
  [/^Alternative text/, ['IMAGE']],
  [/^Location ID/, ['IMAGE', 'VIDEO', 'REELS']],
  [/^Cover URL/, ['VIDEO', 'REELS']],
  [/^Thumbnail offset/, ['VIDEO', 'REELS']],
  [/^Audio name/, ['VIDEO', 'REELS']],
  [/^Also share to feed/, ['VIDEO', 'REELS']],
  [/^Trial reel/, ['VIDEO', 'REELS']],
  [/^Username/, mediaTypes],
  [/^From left/, ['IMAGE', 'CAROUSEL']],
  [/^From top/, ['IMAGE', 'CAROUSEL']],
];

async function containersPath(db: Knex, { organization, workspace }: Tenant): Promise<string> {
  const { publicId } = await aChannel(db, workspace, { type: 'photoapp' });
  return `/app/${organization.publicId}/${workspace.publicId}/channels/${publicId}/containers`;
}

const dialogs: readonly (readonly [name: RegExp, dialog: string, menu: string, tab?: string])[] = [
  [/^Switch workspace/, 'Switch workspace', 'Workspaces'],
  [/Create customer/, 'Create customer', 'Customers'],
  [/Create key/, 'Create API key', 'API keys'],
  [/Create link/, 'Create onboarding link', 'Onboarding links'],
  [/Invite member/, 'Invite member', 'People', 'Invitations'],
  [/^Revoke Nightly import/, 'Revoke Nightly import?', 'API keys'],
  [/^Reveal Nightly import/, 'Nightly import', 'API keys'],
];

function pagesOf({ tenant }: DashboardSite): string[] {
  const org = `/app/${tenant.organization.publicId}`;
  const ws = `${org}/${tenant.workspace.publicId}`;
  const ofOrganization = [
    'workspaces',
    'customers',
    'members',
    'invitations',
    'keys',
    'agents',
    'onboarding',
    'usage',
    'erasures',
    'audit',
  ];
  const replays = ['replays', 'replays/new'];
  const pages = [...ofOrganization, ...replays, 'settings', 'nothing-here'].map((page) => `${org}/${page}`);
  return [...pages, ws, `${ws}/members`, `${ws}/settings`, '/app/account', '/app/invitations/accept?token=x'];
}

/** Some of the records have very long names. */
async function fill({ db, call, tenant }: DashboardSite): Promise<void> {
  const { headers } = await aSession(db, tenant.user, 'development');
  const { publicId: workspaceId } = tenant.workspace;
  const long =
    'A very long customer name that fills more than one line of every table, menu and dialog in the dashboard';
  const make = (path: string, body: object) =>
    call(`POST /organizations/${tenant.organization.publicId}/${path}`, { headers, body });
  await make('workspaces', { name: 'Sunrise Bakery', kind: 'customer', externalId: 'cust_20391' });
  await make('workspaces', { name: long, kind: 'customer', externalId: 'x'.repeat(120) });
  await make('keys', { name: 'Nightly import', expiresAt: '2099-01-01T00:00:00Z' });
  await make('onboarding-links', { label: 'Spring campaign', channelType: 'chatapp' });
  await make('onboarding-links', { label: long, channelType: 'pageapp', workspaceId });
  await make('invitations', { email: 'ann@example.com', role: 'member', workspaceId });
  await aMember(db, tenant.organization, 'member');
}
