import { aChannel } from '../../../harness/tenants.ts';
import { button, dialogButton } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

test('a post is scheduled, moved and cancelled', async (t) => {
  const { db, tenant, page, signIn, complaints } = await dashboardSite(t);
  const { organization, workspace, user } = tenant;
  const { publicId } = await aChannel(db, workspace, { type: 'photoapp' });
  const at = `/app/${organization.publicId}/${workspace.publicId}/channels/${publicId}`;
  await signIn(user.email, `${at}/containers`);
  await button(page, 'Create container').first().click();
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel(/URL/).first().fill('https://media.example.com/1.jpg');
  await page.getByLabel('Publish at').fill(inDays(2));
  await dialogButton(page, 'Schedule post').click();
  await page.getByRole('cell', { name: 'IMAGE' }).waitFor();

  const first = await db('scheduled_posts').first();
  await page.getByRole('button', { name: /^Move sp_/ }).click();
  await page.getByLabel('Publish at').fill(inDays(5));
  await dialogButton(page, 'Save changes').click();
  await page.getByText('Post moved.').waitFor();
  t.true((await db('scheduled_posts').first()).publish_at > first.publish_at);

  await page.getByRole('button', { name: /^Cancel sp_/ }).click();
  await dialogButton(page, 'Cancel post').click();
  await page.getByRole('cell', { name: 'cancelled' }).waitFor();
  t.like(await db('scheduled_posts').first(), { status: 'cancelled', input: null });
  t.is((await db('media_containers')).length, 0);
  t.deepEqual(complaints, []);
});
