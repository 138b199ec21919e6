import { button, goTo, heading } from './dashboard-page.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

test('an admin creates, renames, finds and deletes workspaces and customers', async (t) => {
  const { page, tenant, signIn, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'Customers');
  await page.getByRole('heading', { name: 'No customer yet' }).waitFor();
  for (const name of ['Sunrise Bakery', 'Harbour Books']) {
    await page.getByRole('main').getByRole('button', { name: 'New customer' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('External id (optional)').fill(`ours-${name.length}`);
    await button(page, 'Create').click();
    await page.getByRole('rowheader', { name }).waitFor();
  }
  await page.getByLabel('External id', { exact: true }).fill('ours-14');
  await button(page, 'Find').click();
  await page.getByRole('rowheader', { name: 'Harbour Books' }).waitFor({ state: 'detached' });
  await page.waitForURL(/externalId=ours-14/);

  await page.getByRole('link', { name: 'Sunrise Bakery' }).click();
  await heading(page, 'Sunrise Bakery').waitFor();
  await goTo(page, 'Workspace settings', 'Workspace');
  await page.getByLabel('Name of the customer').fill('Sunset Bakery');
  await button(page, 'Save').click();
  await page.getByRole('button', { name: /^Switch workspace, now Sunset Bakery/ }).waitFor();

  await page.getByRole('button', { name: /^Delete customer/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Sunset Bakery?' });
  t.true(await dialog.getByRole('button', { name: 'Delete customer' }).isDisabled());
  await dialog.getByLabel(/^Type/).fill('Sunset Bakery');
  await dialog.getByRole('button', { name: 'Delete customer' }).click();
  await heading(page, 'Customers').waitFor();
  await page.getByRole('rowheader', { name: 'Harbour Books' }).waitFor();
  t.is(await page.getByRole('rowheader', { name: 'Sunset Bakery' }).count(), 0);
  t.deepEqual(complaints, []);
});

test('the workspace is switched by a search', async (t) => {
  const { page, tenant, signIn, call } = await dashboardSite(t);
  const { apiKey: key, organization } = tenant;
  for (const name of ['Sunrise Bakery', 'Harbour Books']) {
    await call(`POST /organizations/${organization.publicId}/workspaces`, { key, body: { name, kind: 'customer' } });
  }
  await signIn(tenant.user.email);
  await page.getByRole('button', { name: /^Switch workspace, now Team/ }).click();
  await page.getByLabel('Name, external id or id').fill('harb');
  await page.getByRole('dialog').getByRole('link', { name: 'Harbour Books' }).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Sunrise Bakery' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await heading(page, 'Harbour Books').waitFor();
  await page.getByRole('button', { name: /^Switch workspace, now Harbour Books/ }).waitFor();
});

test('a key is made, shown, used, revealed and revoked', async (t) => {
  const { page, tenant, signIn, call, refused, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'API keys');
  await page.getByRole('button', { name: 'New key' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Nightly import');
  await page.getByLabel('Expires').selectOption({ label: 'After 90 days' });
  await button(page, 'Create key').click();
  await page.getByRole('heading', { name: 'Nightly import is ready' }).waitFor();
  const key = (await page.getByLabel('the key', { exact: true }).textContent()) ?? '';
  t.regex(key, /^hmok_/);
  const route = `GET /organizations/${tenant.organization.publicId}`;
  t.is((await call(route, { key })).status, 200);
  await button(page, 'Done').click();

  const row = page.getByRole('row', { name: /Nightly import/ });
  t.regex((await row.textContent()) ?? '', /in 90 days|20\d\d/);
  t.false((await page.content()).includes(key));
  await row.getByRole('button', { name: 'Reveal Nightly import' }).click();
  await page.getByRole('dialog').getByText(key).waitFor();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Revoke Nightly import' }).click();
  await button(page, 'Revoke key').click();
  await row.waitFor({ state: 'detached' });
  await refused('AUTH_REQUIRED', route, { key });
  t.deepEqual(complaints, []);
});

test('an onboarding link is made, renamed, given a new address and revoked', async (t) => {
  const { page, tenant, signIn, siteUrl, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'Onboarding links');
  await page.getByRole('button', { name: 'New link' }).first().click();
  await page.getByLabel('Label').fill('Spring campaign');
  await page.getByLabel('Leads to').selectOption({ label: 'Team' });
  await button(page, 'Create link').click();
  const url = (await page.getByLabel('the address', { exact: true }).textContent()) ?? '';
  t.true(url.startsWith(`${siteUrl}/connect/`));
  t.is((await fetch(url)).status, 200);
  await button(page, 'Done').click();
  await page
    .getByRole('row', { name: /Spring campaign/ })
    .getByRole('link', { name: 'Team' })
    .waitFor();

  await button(page, 'Edit Spring campaign').click();
  await page.getByLabel('Label').fill('Autumn campaign');
  await button(page, 'Save').click();
  await button(page, 'Regenerate Autumn campaign').click();
  await button(page, 'Regenerate').click();
  await page.getByRole('status').getByText('Autumn campaign has a new address.').waitFor();
  t.is((await fetch(url)).status, 404);
  await button(page, 'Revoke Autumn campaign').click();
  await button(page, 'Revoke link').click();
  await page
    .getByRole('row', { name: /Autumn campaign/ })
    .getByText('revoked')
    .waitFor();
  t.deepEqual(complaints, []);
});

test('a second person accepts an invitation by the link in the mail, and their role is changed', async (t) => {
  const site = await dashboardSite(t);
  const { page, tenant, signIn, inbox, siteUrl, anotherPage, complaints } = site;
  await signIn(tenant.user.email);
  await goTo(page, 'Invitations');
  await page.getByRole('button', { name: 'Invite a person' }).first().click();
  await page.getByLabel('E-mail address').fill('ann@example.com');
  await page.getByRole('combobox', { name: 'Workspace', exact: true }).selectOption({ label: 'Team' });
  await button(page, 'Send invitation').click();
  await page
    .getByRole('row', { name: /ann@example\.com/ })
    .getByText('open')
    .waitFor();

  const mail = inbox.messages('ann@example.com')[0]?.text ?? '';
  const link = new URL(/^ +(http\S+)$/m.exec(mail)?.[1] ?? '');
  t.is(link.origin, siteUrl);
  const annsPage = await anotherPage();
  await signIn('ann@example.com', link.pathname + link.search, annsPage);
  await heading(annsPage, 'Accept an invitation').waitFor();
  await annsPage.waitForURL((url) => !url.search.includes('token'));
  await button(annsPage, 'Accept invitation').click();
  await heading(annsPage, 'Team').waitFor();
  await annsPage.getByText('Your role').waitFor();
  t.is(await annsPage.getByRole('link', { name: 'API keys' }).count(), 0, 'what is for admins is not offered');

  await goTo(page, 'Members');
  await page.getByLabel('Role of ann@example.com').selectOption({ label: 'Admin' });
  await page.getByRole('status').getByText('ann@example.com is an admin now.').waitFor();
  await page.getByLabel(`Role of ${tenant.user.email}`).selectOption({ label: 'Member' });
  await annsPage.reload();
  await annsPage.getByRole('link', { name: 'API keys' }).waitFor();
  t.deepEqual(complaints, []);
});

test('an invitation that is not for whoever is signed in says what to do', async (t) => {
  const { page, tenant, signIn, checkAccessibility } = await dashboardSite(t);
  await signIn(tenant.user.email, '/app/invitations/accept?token=somebody-elses');
  await button(page, 'Accept invitation').click();
  await page.getByRole('alert').getByText('INVITATION_NOT_FOUND').waitFor();
  await checkAccessibility();
  await button(page, 'Sign in with another address').click();
  await heading(page, 'Sign in').waitFor();
});

test("an organization's last admin can't go, and says why", async (t) => {
  const { page, tenant, signIn, checkAccessibility } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'Members');
  await page.getByLabel(`Role of ${tenant.user.email}`).selectOption({ label: 'Member' });
  await page.getByRole('alert').getByText('LAST_ADMIN').waitFor();
  t.is(await page.getByLabel(`Role of ${tenant.user.email}`).inputValue(), 'admin', 'what it was is back');
  await checkAccessibility();
});

test('an organization is renamed, which its menu and its audit log show', async (t) => {
  const { page, tenant, signIn } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'Settings');
  await page.getByLabel('Name of the organization').fill('Acme Messaging');
  await button(page, 'Rename').click();
  await page.getByText('Acme Messaging').first().waitFor();
  await goTo(page, 'Audit log');
  await page.getByLabel('Action', { exact: true }).fill('organization.renamed');
  await button(page, 'Filter').click();
  await page.getByText('1 entry').waitFor();
  await page
    .getByRole('row', { name: /organization\.renamed/ })
    .getByText(tenant.user.email)
    .waitFor();
  await page.waitForURL(/action=organization\.renamed/);
  t.regex(page.url(), /action=organization\.renamed/);
});
