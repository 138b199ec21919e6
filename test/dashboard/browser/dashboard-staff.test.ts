import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { loseBodyKey, unroutedEvents } from '../../harness/api/unrouted.ts';
import { aStaffKey } from '../../harness/people/staff.ts';
import { aChannel } from '../../harness/tenants.ts';
import { button } from './dashboard-page.ts';
import { browserTest as test, dashboardSite } from './dashboard-site.ts';

test('staff search, read and replay with a key that a reload forgets', async (t) => {
  const unrouted = unroutedEvents(t);
  const site = await dashboardSite(t, { acceptEvents: unrouted.acceptEvents });
  const { page, look, db, tenant, siteUrl, signIn, checkAccessibility, complaints } = site;
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  const { publicId: wd } = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted' });
  await db('events').update({ sender: '1550003' });
  const staff = await aStaffKey(db);
  await signIn(tenant.user.email);
  await page.goto(`${siteUrl}/app/staff`);
  await enterKey();
  await checkAccessibility();
  await button(page, 'Open').click();
  await page.getByText('None. Every event belongs to a channel.').waitFor();
  const dialog = page.getByRole('dialog');
  await searchAndReplay();
  await startReplay();
  await retry();
  await sendOn();
  await checkAudit();
  await page.reload();
  await page.getByLabel('Staff key').waitFor();
  t.deepEqual(complaints, []);

  async function searchAndReplay() {
    await page.getByLabel('Value').fill('1550003');
    await button(page, 'Search').click();
    await button(page, `Show ${wd}`).waitFor();
    await look('staff');
    await checkAccessibility();
    await button(page, `Show ${wd}`).click();
    await dialog.getByRole('heading', { name: 'Payload' }).waitFor();
    await checkAccessibility();
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText('Replayed as').waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
  }

  async function startReplay() {
    await page.getByLabel('Scope').fill(`channel:${channel.publicId}`);
    await page.getByLabel('Status').selectOption('exhausted');
    await button(page, 'Count events').click();
    const counted = page.getByText('1 event would be sent.');
    await counted.waitFor();
    await page.getByLabel('Status').selectOption('skipped');
    await counted.waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('exhausted');
    await button(page, 'Count events').click();
    await counted.waitFor();
    await button(page, 'Start replay').click();
    await page.getByText('The customer can follow and stop it.').waitFor();
    t.like(await db('replays').first(), { channel_id: channel.id, matched: 1 });
  }

  async function retry() {
    await button(page, `Show ${wd}`).click();
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    await page.getByText('Retried.').waitFor();
    t.is((await db('deliveries').orderBy('id').first()).status, 'pending');
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
  }

  async function sendOn() {
    await unrouted.arrive(site, channel, ['a', 'b']);
    await loseBodyKey(db, 1);
    await db('channels').where({ id: channel.id }).update({ disconnected_at: null });
    await openAgain();
    await page.getByRole('table', { name: 'Events of unknown channels' }).waitFor();
    await page.getByLabel('Channel', { exact: true }).fill(channel.publicId);
    await button(page, 'Send on').click();
    await page.getByText('1 event sent on. Skipped 1 that cannot be decrypted or accepted.').waitFor();
  }

  async function checkAudit() {
    const acts = await db('audit_entries').where({ actor_type: 'staff' });
    t.true(acts.some(({ action }: { action: string }) => action === 'delivery.replayed'));
    t.true(acts.every(({ reason, actor_id }) => reason === 'Ticket 9' && actor_id === staff.publicId));
    await openAgain();
    await page.getByRole('table', { name: 'What staff did' }).getByText('unroutedEvent.sent').waitFor();
  }

  async function enterKey() {
    await page.getByLabel('Staff key').fill(staff.token);
    await page.getByLabel('Reason').fill('Ticket 9');
  }

  async function openAgain() {
    await button(page, 'Forget the key').click();
    await enterKey();
    await button(page, 'Open').click();
  }
});
