import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { aChannel } from '../../../harness/tenants.ts';
import { button, dialogButton } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

test('a message is scheduled, moved and cancelled', async (t) => {
  const { db, tenant, page, signIn, complaints } = await dashboardSite(t);
  const { organization, workspace, user } = tenant;
  const { publicId } = await aChannel(db, workspace, { type: 'chatapp' });
  await signIn(
    user.email,
    `/app/${organization.publicId}/${workspace.publicId}/channels/${publicId}/scheduled-messages`,
  );
  await page.getByText('No scheduled messages yet').waitFor();
  await button(page, 'Schedule message').first().click();
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('Send at').fill(inDays(2));
  await page.getByLabel('To').fill('15551230001');
  await page.getByLabel('Text').fill('See you soon');
  await dialogButton(page, 'Schedule message').click();
  await page.getByRole('cell', { name: '15551230001' }).waitFor();
  await page.getByRole('cell', { name: 'See you soon' }).waitFor();

  await show(page, 'See you soon');

  const first = await db('scheduled').first();
  await page.getByRole('button', { name: /^Change sm_/ }).click();
  await page.getByLabel('Send at').fill(inDays(5));
  await dialogButton(page, 'Save changes').click();
  await page.getByText('Message changed.').waitFor();
  const moved = await db('scheduled').first();
  t.true(moved.due_at > first.due_at);
  t.is(moved.message_encrypted, first.message_encrypted, 'the content is kept');

  await changeText(t, page);
  t.not((await db('scheduled').first()).message_encrypted, first.message_encrypted);
  await show(page, 'See you later');

  await page.getByRole('button', { name: /^Cancel sm_/ }).click();
  await dialogButton(page, 'Cancel message').click();
  await page.getByText('Message cancelled.').waitFor();
  await page.getByRole('cell', { name: 'cancelled' }).waitFor();
  await page.getByRole('cell', { name: 'erased' }).waitFor();
  t.like(await db('scheduled').first(), { status: 'cancelled', message_encrypted: null });
  await show(page, 'The content is erased.');
  t.deepEqual(complaints, []);
});

async function show(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: /^Show sm_/ }).click();
  await page.getByRole('dialog').getByText(text).waitFor();
  await button(page, 'Done').click();
}

async function changeText(t: ExecutionContext<unknown>, page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Change sm_/ }).click();
  await page.getByLabel('Text').waitFor();
  t.is(await page.getByLabel('Text').inputValue(), 'See you soon');
  await page.getByLabel('Text').fill('See you later');
  await dialogButton(page, 'Save changes').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
