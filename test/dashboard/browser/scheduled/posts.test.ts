import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
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
  await page.getByLabel('Caption').fill('New in');
  await dialogButton(page, 'Schedule post').click();
  await page.getByRole('cell', { name: 'IMAGE' }).waitFor();

  await page.getByRole('cell', { name: 'New in' }).waitFor();
  await showPost(page);

  const first = await db('scheduled').first();
  await page.getByRole('button', { name: /^Change sp_/ }).click();
  await page.getByLabel('Publish at').fill(inDays(5));
  await dialogButton(page, 'Save changes').click();
  await page.getByText('Post changed.').waitFor();
  const moved = await db('scheduled').first();
  t.true(moved.due_at > first.due_at);
  t.deepEqual(moved.input, first.input, 'the content is kept');

  await changeCaption(t, page);
  t.deepEqual((await db('scheduled').first()).input, { ...first.input, caption: 'Sold out' });
  await page.getByLabel('Status').selectOption('failed');
  await page.getByText('No matching posts').waitFor();
  await page.getByLabel('Status').selectOption('');

  await page.getByRole('button', { name: /^Cancel sp_/ }).click();
  await dialogButton(page, 'Cancel post').click();
  await page.getByRole('cell', { name: 'cancelled' }).waitFor();
  t.like(await db('scheduled').first(), { status: 'cancelled', input: null });
  t.is((await db('media_containers')).length, 0);
  t.deepEqual(complaints, []);
});

async function showPost(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Show sp_/ }).click();
  await page.getByRole('dialog').getByText('https://media.example.com/1.jpg').waitFor();
  await button(page, 'Done').click();
}

async function changeCaption(t: ExecutionContext<unknown>, page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Change sp_/ }).click();
  t.is(await page.getByLabel('Caption').inputValue(), 'New in');
  await page.getByLabel('Caption').fill('Sold out');
  await dialogButton(page, 'Save changes').click();
  await page.getByRole('cell', { name: 'Sold out' }).waitFor();
}
