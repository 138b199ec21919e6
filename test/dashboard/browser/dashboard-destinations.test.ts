import { aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { button, dialogButton } from './dashboard-page.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

test('an admin sets the options of a destination without seeing secrets again', async (t) => {
  const site = await dashboardSite(t);
  const { db, page, tenant, signIn, complaints } = site;
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  await signIn(
    tenant.user.email,
    `/app/${tenant.organization.publicId}/${tenant.workspace.publicId}/channels/${channel.publicId}`,
  );

  await button(page, 'Edit options of https://receiver.example.com/hook').click();
  await page.getByLabel('Ordering').selectOption('none');
  await page.getByLabel('Send the trace header').uncheck();
  await page.getByLabel('Add or replace headers').fill('X-Api-Key: s3cret\nX-Tenant: shop');
  await page.getByLabel('Authentication').selectOption('basic');
  await page.getByLabel('User name').fill('hooks');
  await page.getByLabel('Password').fill('s3cret');
  await page.getByLabel('Requests per second').fill('5');
  await page.getByLabel('Retries').selectOption('own');
  await page.getByLabel('Seconds before each retry').fill('5, 30');
  await site.look('destination-options');
  await dialogButton(page, 'Save').click();
  const words = 'no ordering, no trace header, 2 headers, basic authentication, 5 per second, own retries';
  await page.getByText(words).waitFor();
  t.like(await db('destinations').where({ id: destinationId }).first(), {
    ordering: 'none',
    sends_trace_parent: false,
  });
  await site.look('destination-panel');

  const sealed = async () => (await db('destinations').where({ id: destinationId }).first()).credentials_encrypted;
  const before = await sealed();
  await button(page, 'Edit options of https://receiver.example.com/hook').click();
  t.is(await page.getByLabel('Password').inputValue(), '');
  await page.getByLabel('x-tenant').check();
  await page.getByLabel('Time-out in seconds').fill('20');
  await page.getByLabel('Gather events for (seconds)').fill('10');
  await dialogButton(page, 'Save').click();
  await page.getByText('no trace header, 1 header, basic authentication, 20 s time-out').waitFor();
  await page.getByText('gathers for 10 s').waitFor();
  t.not(await sealed(), before);
  t.notRegex(await page.content(), /s3cret/);
  t.deepEqual(complaints, []);
});
