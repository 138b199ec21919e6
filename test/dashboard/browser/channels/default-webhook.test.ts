import { button, dialogButton } from '../dashboard-page.ts';
import { browserTest as test } from '../dashboard-site.ts';
import { dashboardSystem } from '../dashboard-system.ts';

const verifyToken = 'default token';

test('an admin saves a default webhook and rolls it out', async (t) => {
  const system = await dashboardSystem(t);
  const { channel, receiver, page, visit, checkAccessibility, complaints, db } = system;
  const bare = await channel();
  const own = await channel({ webhookUrl: receiver.webhook('own').url });
  const hook = receiver.webhook('default');
  await visit('settings');

  await page.getByLabel('URL').fill(hook.url);
  await page.getByLabel('Verify token').fill(verifyToken);
  await button(page, 'Probe and save').click();
  await page
    .getByText(/probe/i)
    .filter({ hasText: /failed/i })
    .first()
    .waitFor();
  hook.set({ verifyToken });
  await button(page, 'Probe and save').click();
  const panel = page.getByText('Apply to existing channels');
  await panel.waitFor();

  await button(page, 'Dry run').click();
  await page.getByText('1 would be applied, 0 unchanged, 1 skipped, 0 failed').waitFor();
  await page.getByText('It has a webhook of its own.').waitFor();
  t.is(await db('webhook_configs').where({ channel_id: bare.id }).whereNotNull('destination_id').first(), undefined);
  await button(page, 'Apply').click();
  await page.getByText('1 applied, 0 unchanged, 1 skipped, 0 failed').waitFor();
  await checkAccessibility();
  t.is((await system.api.call(`GET /webhook-config/${bare.publicId}`)).body.webhookUrl, hook.url);
  t.not((await system.api.call(`GET /webhook-config/${own.publicId}`)).body.webhookUrl, hook.url);

  await button(page, 'Clear default').click();
  await dialogButton(page, 'Clear default').click();
  await page.getByText('Default webhook cleared.').waitFor();
  await panel.waitFor({ state: 'detached' });
  t.deepEqual(complaints, []);
});
