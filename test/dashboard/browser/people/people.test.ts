import { insertInvitation } from '../../../../db/people/invitations.ts';
import { testSecretBox } from '../../../harness/tenants.ts';
import { button, chooseOption, dialogButton, goTo, goToTab, heading, openOrganizationMenu } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

test('an admin creates, renames, finds and deletes workspaces and customers', async (t) => {
  const { page, tenant, signIn, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'Customers');
  await page.getByRole('heading', { name: 'No customers yet' }).waitFor();
  for (const name of ['Sunrise Bakery', 'Harbour Books']) {
    await page.getByRole('main').getByRole('button', { name: 'Create customer' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('External ID (optional)').fill(`ours-${name.length}`);
    await dialogButton(page, 'Create customer').click();
    await page.getByRole('rowheader', { name }).waitFor();
  }
  await page.getByLabel('Name or external ID').fill('ours-14');
  await button(page, 'Search').click();
  await page.getByRole('rowheader', { name: 'Harbour Books' }).waitFor({ state: 'detached' });
  await page.waitForURL(/search=ours-14/);

  await page.getByRole('link', { name: 'Sunrise Bakery' }).click();
  await heading(page, 'Sunrise Bakery').waitFor();
  await goTo(page, 'Workspace settings', 'Workspace');
  await page.getByLabel('Customer name').fill('Sunset Bakery');
  await button(page, 'Save').click();
  await page.getByRole('button', { name: /^Switch workspace, currently Sunset Bakery/ }).waitFor();

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

test('searching switches the workspace', async (t) => {
  const { page, tenant, signIn, call } = await dashboardSite(t);
  const { apiKey: key, organization } = tenant;
  for (const name of ['Sunrise Bakery', 'Harbour Books']) {
    await call(`POST /organizations/${organization.publicId}/workspaces`, { key, body: { name, kind: 'customer' } });
  }
  await signIn(tenant.user.email);
  await page.getByRole('button', { name: /^Switch workspace, currently Team/ }).click();
  await page.getByLabel('Name, external ID or ID').fill('harb');
  await page.getByRole('dialog').getByRole('link', { name: 'Harbour Books' }).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Sunrise Bakery' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await heading(page, 'Harbour Books').waitFor();
  await page.getByRole('button', { name: /^Switch workspace, currently Harbour Books/ }).waitFor();
});

test('an admin creates, uses, reveals and revokes a key', async (t) => {
  const { page, tenant, signIn, call, refused, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'API keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Nightly import');
  await page.getByLabel('Expires').selectOption({ label: 'After 90 days' });
  await dialogButton(page, 'Create key').click();
  await page.getByRole('heading', { name: 'API key created' }).waitFor();
  const key = (await page.getByLabel('API key', { exact: true }).textContent()) ?? '';
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
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row.waitFor({ state: 'detached' });
  await refused('AUTH_REQUIRED', route, { key });
  t.deepEqual(complaints, []);
});

test('an admin creates, renames, regenerates and revokes an onboarding link', async (t) => {
  const { page, tenant, signIn, siteUrl, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'Onboarding links');
  await page.getByRole('button', { name: 'Create link' }).first().click();
  await page.getByLabel('Label').fill('Spring campaign');
  await chooseOption(page, 'Workspace', 'Team');
  await dialogButton(page, 'Create link').click();
  const url = (await page.getByLabel('link', { exact: true }).textContent()) ?? '';
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
  await button(page, 'Regenerate link').click();
  await page.getByRole('status').getByText('Autumn campaign has a new URL.').waitFor();
  t.is((await fetch(url)).status, 404);
  await button(page, 'Revoke Autumn campaign').click();
  await button(page, 'Revoke link').click();
  await page
    .getByRole('row', { name: /Autumn campaign/ })
    .getByText('revoked')
    .waitFor();
  t.deepEqual(complaints, []);
});

test('an invited person accepts by email, and an admin changes their role', async (t) => {
  const site = await dashboardSite(t);
  const { page, tenant, signIn, inbox, siteUrl, anotherPage, complaints } = site;
  await signIn(tenant.user.email);
  await goTo(page, 'People');
  await goToTab(page, 'Invitations');
  await page.getByRole('button', { name: 'Invite member' }).first().click();
  await page.getByLabel('Email address').fill('ann@example.com');
  await chooseOption(page, 'Workspace', 'Team');
  await button(page, 'Send invitation').click();
  await page
    .getByRole('row', { name: /ann@example\.com/ })
    .getByText('open')
    .waitFor();

  const mail = inbox.messages('ann@example.com')[0]?.text ?? '';
  const link = new URL(/^ +(http\S+)$/m.exec(mail)?.[1] ?? '');
  t.is(link.origin, siteUrl);
  await page.goto(link.href);
  await page.getByText('The invitation was sent to another address.').waitFor();
  t.is(await button(page, 'Accept invitation').count(), 0);
  const annsPage = await anotherPage();
  await signIn('ann@example.com', link.pathname + link.hash, annsPage);
  await heading(annsPage, 'Accept invitation').waitFor();
  await annsPage.waitForURL((url) => url.hash === '');
  await annsPage.getByText('invites you to the organization').waitFor();
  await button(annsPage, 'Accept invitation').click();
  await heading(annsPage, 'Team').waitFor();
  await annsPage.getByText('Your role').waitFor();
  await openOrganizationMenu(annsPage);
  t.is(await annsPage.getByRole('link', { name: 'API keys' }).count(), 0, 'admin pages are hidden');

  await goTo(page, 'People');
  await page.getByLabel('Role of ann@example.com').selectOption({ label: 'Admin' });
  await page.getByRole('status').getByText('ann@example.com is now an admin.').waitFor();
  await page.getByLabel(`Role of ${tenant.user.email}`).selectOption({ label: 'Member' });
  await annsPage.reload();
  await annsPage.getByRole('link', { name: 'API keys' }).waitFor();
  t.deepEqual(complaints, []);
});

test('an invitation that does not exist says what to do', async (t) => {
  const { page, tenant, signIn, checkAccessibility } = await dashboardSite(t);
  await signIn(tenant.user.email, '/app/invitations/accept#another-token');
  await page.waitForURL(({ hash, search }) => `${hash}${search}` === '');
  await page.getByRole('alert').getByText(`No open invitation for ${tenant.user.email}`).waitFor();
  await checkAccessibility();
  await button(page, 'Sign in with another address').click();
  await heading(page, 'Sign in').waitFor();
});

test('a person without an organization creates one', async (t) => {
  const { page, tenant, db, signIn, checkAccessibility, complaints } = await dashboardSite(t);
  await db('organization_members').where({ user_id: tenant.user.id }).delete();
  const invitation = { organizationId: tenant.organization.id, email: tenant.user.email, role: 'member' } as const;
  const keys = { secretBox: testSecretBox, tokenSalt: Buffer.alloc(32) };
  await insertInvitation(db, keys, { ...invitation, workspace: null, invitedBy: tenant.user.id });
  await signIn(tenant.user.email);
  await heading(page, "You don't belong to an organization").waitFor();
  await checkAccessibility();
  await page.getByLabel('Organization name').fill('Own Ltd');
  await button(page, 'Create organization').click();
  await openOrganizationMenu(page);
  await page.getByRole('link', { name: 'API keys' }).waitFor();
  t.like(await db('organizations').orderBy('id', 'desc').first(), { name: 'Own Ltd', made_by: tenant.user.id });
  t.deepEqual(complaints, []);
});

test("an organization's last admin can't be demoted", async (t) => {
  const { page, tenant, signIn, checkAccessibility } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'People');
  await page.getByLabel(`Role of ${tenant.user.email}`).selectOption({ label: 'Member' });
  await page.getByRole('alert').getByText('LAST_ADMIN').waitFor();
  t.is(await page.getByLabel(`Role of ${tenant.user.email}`).inputValue(), 'admin', 'the role is restored');
  await checkAccessibility();
});

test('renaming an organization updates the menu and the audit log', async (t) => {
  const { page, tenant, signIn } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'Settings');
  await page.getByLabel('Organization name').fill('Acme Messaging');
  await button(page, 'Rename').click();
  await page.getByText('Acme Messaging').first().waitFor();
  await goTo(page, 'Audit log');
  await chooseOption(page, 'Action', 'organization.renamed');
  await page.getByText('1 entry').waitFor();
  await page
    .getByRole('row', { name: /organization\.renamed/ })
    .getByText(tenant.user.email)
    .waitFor();
  await page.waitForURL(/action=organization\.renamed/);
  t.regex(page.url(), /action=organization\.renamed/);
});
