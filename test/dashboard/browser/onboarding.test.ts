import anyTest, { type ExecutionContext } from 'ava';
import { connectStage } from '../../harness/onboarding/connect.ts';
import { reverseProxy } from './reverse-proxy.ts';
import { chromiumMissing, findChromium } from '../../../dev/browser/chromium.ts';
import { openBrowser } from './open-browser.ts';

const isAbsent = findChromium() === undefined;
if (isAbsent && process.env['CI'] !== 'true')
  process.stderr.write(`${chromiumMissing} The browser tests are skipped.\n`);
/** Skips without Chromium locally and fails in CI. */
const test = isAbsent && process.env['CI'] !== 'true' ? anyTest.skip : anyTest;

async function siteFor(t: ExecutionContext<unknown>) {
  const proxy = await reverseProxy(t);
  const stage = await connectStage(t, { ownBaseUrl: proxy.url });
  proxy.forwardTo(stage.url);
  return stage;
}

test('a customer connects a channel and can reconnect the same account', async (t) => {
  const { link, db, tenant } = await siteFor(t);
  const { page, checkAccessibility } = await openBrowser(t);
  const { url } = await link({ workspaceId: tenant.workspace.publicId });

  await page.goto(url);
  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Connect your chatapp number');
  await checkAccessibility();
  await page.getByRole('button', { name: /^Continue to/ }).click();

  await page.getByLabel(/Sunrise Bakery \+1 555 010 0011/).check();
  await page.getByRole('button', { name: 'Allow' }).click();

  await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
  t.false(page.url().includes('code='));
  await checkAccessibility();
  const [channel] = await db('channels');
  t.like(channel, { resource_id: '100000000000011', workspace_id: tenant.workspace.id, disconnected_at: null });

  await page.getByRole('link', { name: 'Connect another account' }).click();
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByLabel(/Sunrise Bakery \+1 555 010 0011/).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Reconnected' }).waitFor();
  t.deepEqual(await db('channels').pluck('public_id'), [channel.public_id]);
});

test('a customer who refuses can try again', async (t) => {
  const { link, db } = await siteFor(t);
  const { page, checkAccessibility } = await openBrowser(t);
  await page.goto((await link({ channelType: 'photoapp' })).url);
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('heading', { name: 'You did not give permission' }).waitFor();
  await checkAccessibility();
  t.is((await db('channels')).length, 0);

  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByLabel(/harbour\.books/).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Connected' }).waitFor();
  t.is((await db('channels')).length, 1);
});

test('the keyboard alone connects one of several accounts', async (t) => {
  const { link, db } = await siteFor(t);
  const { page, checkAccessibility } = await openBrowser(t);
  const { keyboard } = page;
  const focused = () => page.locator(':focus');
  await page.goto((await link({ channelType: 'pageapp' })).url);
  await keyboard.press('Tab');
  t.regex((await focused().textContent()) ?? '', /^Continue to/);
  await keyboard.press('Enter');

  await page.getByRole('button', { name: 'Allow' }).waitFor();
  for (const _ of [1, 2]) {
    await keyboard.press('Tab');
    await keyboard.press('Space');
  }
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  t.is(await focused().textContent(), 'Allow');
  await keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Choose a pageapp Page' }).waitFor();
  await checkAccessibility();
  await keyboard.press('Tab');
  await keyboard.press('ArrowDown');
  await keyboard.press('Tab');
  t.is(await focused().textContent(), 'Connect');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connected' }).waitFor();
  t.deepEqual(await db('channels').pluck('display_name'), ['Harbour Books']);
});

test('the connect pages work without JavaScript', async (t) => {
  const { link, db } = await siteFor(t);
  const { page } = await openBrowser(t, { javaScriptEnabled: false });
  await page.goto((await link()).url);
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByLabel(/100000000000011/).check();
  await page.getByLabel(/100000000000012/).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByLabel(/100000000000012/).check();
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { name: 'Connected' }).waitFor();
  t.deepEqual(await db('channels').pluck('resource_id'), ['100000000000012']);
});

test('the pages for revoked links and connected accounts pass axe', async (t) => {
  const { link, db, tenant, call } = await siteFor(t);
  const { page, checkAccessibility } = await openBrowser(t);
  const { id, url } = await link();
  await page.goto(url);
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByLabel(/100000000000011/).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Connected' }).waitFor();

  await page.goto((await link({ workspaceId: tenant.workspace.publicId })).url);
  await page.getByRole('button', { name: /^Continue to/ }).click();
  await page.getByLabel(/100000000000011/).check();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'This account is already connected' }).waitFor();
  await checkAccessibility();
  t.is((await db('channels')).length, 1);

  const links = `/organizations/${tenant.organization.publicId}/onboarding-links`;
  await call(`DELETE ${links}/${id}`, { key: tenant.apiKey });
  await page.goto(url);
  await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
  await checkAccessibility();
});

test('the connect pages pass axe in dark mode on a phone', async (t) => {
  const { link } = await siteFor(t);
  const { page, checkAccessibility } = await openBrowser(t);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto((await link()).url);
  await checkAccessibility();
  t.true(await page.evaluate<boolean>('document.documentElement.scrollWidth <= 320'), 'the page fits the width');
});

test('a branded link passes axe and fits phones in light and dark', async (t) => {
  const { link, call, tenant } = await siteFor(t);
  const path = `/organizations/${tenant.organization.publicId}/branding`;
  for (const [index, color] of ['#ffd400', '#0b3d2e'].entries()) {
    const body = { displayName: 'Harbour Agency', logoUrl: null, color, portalFrameAncestors: [] };
    await call(`PUT ${path}`, { key: tenant.apiKey, body });
    const { page, look } = await openBrowser(t);
    await page.goto((await link({ returns: { successUrl: null } })).url);
    await look(`brand-${index}`);
    t.is(
      await page
        .locator('header.bar')
        .textContent()
        .then((text) => text?.trim()),
      'Harbour Agency',
    );
  }
});
