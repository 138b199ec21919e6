import { insertWorkspace } from '../../../../db/organizations/workspaces.ts';
import { button, dialogButton, goTo } from '../dashboard-page.ts';
import { browserTest, dashboardSite } from '../dashboard-site.ts';

browserTest('an admin limits a key and narrows it later', async (t) => {
  const { page, signIn, siteUrl, tenant, db, call, complaints } = await dashboardSite(t);
  const { organization, workspace, user } = tenant;
  await insertWorkspace(db, { organizationId: organization.id, name: 'Corner shop', kind: 'customer' });
  await signIn(user.email);
  await goTo(page, 'API keys');
  await button(page, 'Create key').first().click();
  await page.getByLabel('Name').fill('Reports');
  await page.getByLabel('Limit what the key can do').check();
  await page.getByLabel('channel.read').check();
  await page.getByLabel('deliveries.read').check();
  await page.getByLabel('Limit to workspaces').check();
  await page.getByLabel('Workspaces', { exact: true }).selectOption({ label: 'Team' });
  await page.getByLabel('Workspaces', { exact: true }).selectOption({ label: 'Corner shop (customer)' });
  await button(page, 'Remove Corner shop (customer)').click();
  await page.getByLabel('Allowed addresses').fill('127.0.0.0/8\n::1');
  await dialogButton(page, 'Create key').click();
  const key = await page
    .getByRole('dialog')
    .getByText(/^hmok_/)
    .innerText();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Done|Close/ })
    .first()
    .click();
  t.is((await call('GET /platform/channels', { key, workspace: workspace.publicId })).status, 200);

  await page.getByText('2 scopes').waitFor();
  await page.getByText('1 workspace', { exact: true }).waitFor();
  await button(page, 'Edit Reports').click();
  await page.getByLabel('channel.read').uncheck();
  await dialogButton(page, 'Save').click();
  await page.getByText('1 scope', { exact: true }).waitFor();
  t.is((await call('GET /platform/channels', { key, workspace: workspace.publicId })).status, 403);
  t.true(page.url().startsWith(siteUrl));
  t.deepEqual(complaints, []);
});
