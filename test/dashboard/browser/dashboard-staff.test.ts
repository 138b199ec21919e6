import type { Locator } from 'playwright-core';
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
  await db('channels').update({ display_name: 'Shop · +1 555-078-3881' });
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
    await page.getByLabel('Find by').selectOption('channel');
    await page.getByLabel('Value').fill('+1 (555) 078 3881');
    await button(page, 'Search').click();
    await page.getByRole('table', { name: 'Channels' }).getByText(channel.publicId).waitFor();
    await button(page, `Show ${wd}`).waitFor();
    await page.getByLabel('Find by').selectOption('deliveryId');
    await page.getByLabel('Value').fill('wd_1');
    await button(page, 'Search').click();
    await page.getByText('Delivery ID: must be an id').waitFor();
    t.is(await button(page, 'Try again').count(), 0);
    await page.getByLabel('Find by').selectOption('sender');
    await page.getByLabel('Value').fill('1550003');
    const search = page.getByRole('search');
    await chooseStatus(search, ['retrying', 'skipped']);
    await button(page, 'Search').click();
    await page.getByText('No deliveries found.').waitFor();
    await chooseStatus(search, ['exhausted']);
    await search.getByLabel('Received since').fill('2026-01-01T08:00');
    await search.getByLabel('Received before').fill('2999-01-01T12:00');
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

  async function chooseStatus(within: Locator, statuses: readonly string[]) {
    await within.getByRole('button', { name: /^Status/ }).click();
    for (const status of statuses) await page.getByRole('option', { name: status, exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
  }

  async function startReplay() {
    await page.getByLabel('Scope').fill(`channel:${channel.publicId}`);
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Bulk replay' }) });
    await chooseStatus(panel, ['exhausted']);
    await button(page, 'Count events').click();
    const counted = page.getByText('1 event would be sent.');
    await counted.waitFor();
    await panel.getByLabel('Received before').fill('2026-01-01T12:00');
    await counted.waitFor({ state: 'detached' });
    await panel.getByLabel('Received since').fill('2026-01-01T08:00');
    await panel.getByLabel('Received before').fill('');
    await button(page, 'Count events').click();
    await counted.waitFor();
    await button(page, 'Start replay').click();
    await page.getByText('The customer can follow and stop it.').waitFor();
    t.like(await db('replays').first(), { channel_id: channel.id, matched: 1 });
  }

  async function retry() {
    await button(page, `Show ${wd}`).click();
    await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
    await dialog.getByText('Retried. The attempt has not ended yet.').waitFor();
    const retried = await db('deliveries').orderBy('id').first();
    t.is(retried.status, 'pending');
    const attempt = { delivery_id: retried.id, number: 1, started_at: new Date(), duration_ms: 9 };
    await db('attempts').insert({ ...attempt, outcome: 'accepted', status: 200 });
    await db('deliveries').where({ id: retried.id }).update({ attempt_count: 1, status: 'delivered' });
    await dialog.getByText('Retried. Attempt 1: Accepted with 200.').waitFor();
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
    const table = page.getByRole('table', { name: 'What staff did' });
    await table.getByText('unroutedEvent.sent').waitFor();
    t.is(await table.getByText('.searched').count(), 0);
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
