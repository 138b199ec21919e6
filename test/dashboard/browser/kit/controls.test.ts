import { aLedgerDelivery } from '../../../harness/deliveries/ledger.ts';
import { aChannel } from '../../../harness/tenants.ts';
import { heading } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

test('the command palette goes to pages, channels and ids', async (t) => {
  const site = await dashboardSite(t);
  const { page, tenant } = site;
  const channel = await aChannel(site.db, tenant.workspace);
  await site.db('channels').where({ id: channel.id }).update({ display_name: 'Corner shop' });
  await site.signIn(tenant.user.email);
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Channels' }).waitFor();

  const search = page.getByRole('combobox', { name: /^Search pages/ });
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /Corner shop/ }).waitFor();
  t.regex((await page.getByRole('option').first().textContent()) ?? '', /^Overview/);
  await search.fill('audit');
  await site.checkAccessibility();
  await page.keyboard.press('Enter');
  await heading(page, 'Audit log').waitFor();

  for (const text of ['corner', channel.publicId]) {
    await page.getByRole('button', { name: /^Search/ }).click();
    await search.fill(text);
    const option = page.getByRole('option', { name: text === 'corner' ? /Corner shop/ : /Open channel/ });
    await option.and(page.locator('[data-highlighted]')).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Corner shop').waitFor();
    await page.goto(`${site.siteUrl}/app/account`);
    await heading(page, 'Your account').waitFor();
  }
  await page.keyboard.press('Control+k');
  await search.waitFor();
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
  t.deepEqual(site.complaints, []);
});

test('the command palette runs what the page can do', async (t) => {
  const site = await dashboardSite(t);
  const { page, tenant, db } = site;
  const { publicId } = await aLedgerDelivery(db, await aChannel(db, tenant.workspace), { status: 'exhausted' });
  const place = `/app/${tenant.organization.publicId}/${tenant.workspace.publicId}/deliveries/${publicId}`;
  await site.signIn(tenant.user.email, place);
  await heading(page, 'Delivery').waitFor();
  const run = async (label: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search pages/ }).fill(label);
    await page.getByRole('option', { name: label }).and(page.locator('[data-highlighted]')).waitFor();
    await page.keyboard.press('Enter');
  };
  await run('Dark theme');
  await page.getByRole('button', { name: 'Dark theme', pressed: true }).waitFor();
  await run('Replay event');
  await page.getByRole('dialog', { name: /^Replay/ }).waitFor();
  t.deepEqual(site.complaints, []);
});

test('the question mark lists shortcuts, but not in a field', async (t) => {
  const site = await dashboardSite(t);
  const { page, tenant } = site;
  await site.signIn(tenant.user.email, '/app/account');
  await heading(page, 'Your account').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Open the command palette').waitFor();
  await site.checkAccessibility();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('');
  await page.keyboard.press('?');
  t.is(await page.getByRole('combobox').inputValue(), '?');
  t.is(await page.getByRole('dialog').count(), 1);
});

test('a chosen theme outlives a reload and follows no system', async (t) => {
  const site = await dashboardSite(t);
  const { page, tenant } = site;
  await page.emulateMedia({ colorScheme: 'light' });
  await site.signIn(tenant.user.email, '/app/account');
  await heading(page, 'Your account').waitFor();
  const ground = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  const dark = await ground();
  t.not(dark, light);
  await site.checkAccessibility();
  await page.reload({ waitUntil: 'commit' });
  await page.locator('html[data-theme=dark]').waitFor();
  await heading(page, 'Your account').waitFor();
  t.is(await ground(), dark);
  await page.getByRole('button', { name: 'System theme' }).click();
  t.is(await ground(), light);
  t.deepEqual(site.complaints, []);
});

test('the whole name of an option is chosen without a click', async (t) => {
  const { page, tenant, signIn, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email, `/app/${tenant.organization.publicId}/audit`);
  const action = page.getByRole('combobox', { name: 'Action' });
  await page.getByText('No matching entries').or(page.getByRole('table')).first().waitFor();
  for (const choose of [
    () => action.press('Enter'),
    () => action.press('Tab'),
    () => page.getByRole('button', { name: 'Filter', exact: true }).click(),
  ]) {
    await action.fill('');
    await page.waitForURL((url) => !url.searchParams.has('action'));
    await action.fill('webhook.set');
    await page
      .getByRole('option', { name: 'webhook.set', exact: true })
      .and(page.locator('[data-highlighted]'))
      .waitFor();
    await choose();
    await page.waitForURL((url) => url.searchParams.get('action') === 'webhook.set');
    t.is(await action.inputValue(), 'webhook.set');
  }
  t.deepEqual(complaints, []);
});
