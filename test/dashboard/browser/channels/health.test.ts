import { browserTest as test } from '../dashboard-site.ts';
import { button } from '../dashboard-page.ts';
import { ownDashboardSystem } from '../dashboard-system.ts';

test('a developer sees and refreshes the health of an account', async (t) => {
  const { channel, db, page, look, platform, visit, complaints } = await ownDashboardSystem(t);
  const { id, publicId, resourceId } = await channel();
  platform.consent({ numberFacts: { [resourceId]: { quality: 'YELLOW', tier: 'TIER_250' } } });
  await visit(`channels/${publicId}`);
  await page.getByText('Not checked yet').waitFor();

  await button(page, 'Check now').click();
  await page.getByText('Its quality rating is medium.').waitFor();
  await page.getByText('250', { exact: true }).waitFor();
  await page.getByText('Granted permissions').waitFor();
  await look('account-health');
  await visit('channels');
  await page.getByText('account warning').waitFor();

  const lost = { failure: 'platform_unavailable', failed_at: new Date(Date.now() - 120_000) };
  await db('channel_health')
    .where({ channel_id: id })
    .update({ ...lost, checked_at: new Date(Date.now() - 120_000) });
  platform.consent({ numberFacts: {} });
  await visit(`channels/${publicId}`);
  await page.getByText('The platform did not answer the last check').waitFor();
  await button(page, 'Check now').click();
  await page.getByText('Its quality rating is medium.').waitFor({ state: 'detached' });
  await page.getByText('healthy', { exact: true }).waitFor();
  t.deepEqual(complaints, []);
});
