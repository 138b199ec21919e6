import { readFile } from 'node:fs/promises';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { goTo, heading } from './dashboard-page.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

test('an admin counts and erases the data of a sender', async (t) => {
  const { page, tenant, signIn, complaints, db } = await dashboardSite(t);
  const channel = await aChannel(db, tenant.workspace);
  await aLedgerDelivery(db, channel, { destinationId: await aWebhook(db, channel) });
  await signIn(tenant.user.email);
  await goTo(page, 'Privacy');
  await heading(page, 'Privacy').waitFor();
  await page.getByRole('button', { name: 'Erase data' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Erase data' });
  await dialog.getByLabel('What to erase').fill('15550001');
  await dialog.getByLabel('Reason').fill('asked by letter');
  await dialog.getByRole('button', { name: 'Count' }).click();
  await dialog.getByText('1 event will be erased.', { exact: false }).waitFor();
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('cell', { name: 'asked by letter' }).waitFor();
  t.is((await db('erasures')).length, 1);
  t.deepEqual(complaints, []);
});

test('an admin downloads the data of a sender', async (t) => {
  const { page, tenant, signIn, complaints, db } = await dashboardSite(t);
  const channel = await aChannel(db, tenant.workspace);
  await aLedgerDelivery(db, channel, { destinationId: await aWebhook(db, channel) });
  await signIn(tenant.user.email);
  await goTo(page, 'Privacy');
  await page.getByRole('button', { name: 'Export data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export data' });
  await dialog.getByLabel('Sender').fill('15550001');
  await dialog.getByLabel('Reason').fill('asked by letter');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  t.is(download.suggestedFilename(), 'person.jsonl');
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
  t.deepEqual(
    lines.map((line) => JSON.parse(line).type),
    ['export', 'event', 'delivery', 'end'],
  );
  t.deepEqual(complaints, []);
});
