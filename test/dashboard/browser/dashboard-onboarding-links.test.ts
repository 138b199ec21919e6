import { button, dialogButton, goTo } from './dashboard-page.ts';
import { browserTest, dashboardSite } from './dashboard-site.ts';

browserTest('an admin creates a link for a product that embeds it', async (t) => {
  const { page, signIn, tenant, db, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email);
  await goTo(page, 'Onboarding links');
  await button(page, 'Create link').first().click();
  await page.getByLabel('Label', { exact: true }).fill('Shop 17');
  await page.getByLabel('Maximum uses').fill('1');
  await page.getByText('For products that embed the page').click();
  await page.getByLabel('Success URL').fill('https://shop.example/done');
  await page.getByLabel('Notification URL').fill('https://shop.example/hook');
  await page.getByLabel('External id').fill('shop-17');

  await dialogButton(page, 'Create link').click();
  await dialogButton(page, 'Done').click();
  await page.getByText('0 of 1').waitFor();
  await button(page, 'Edit Shop 17').click();
  await page.getByLabel('External id').fill('');

  await dialogButton(page, 'Save').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const link = await db('onboarding_links').first();
  t.like(link, { max_uses: 1, success_url: 'https://shop.example/done', external_id: null });
  t.deepEqual(complaints, []);
});
