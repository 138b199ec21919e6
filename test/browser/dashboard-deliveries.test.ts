import type { ExecutionContext } from 'ava';
import type { ScriptedWebhook } from '../../simulator/receiver/scripted-webhook.ts';
import type { ConnectedChannel } from '../system/system.ts';
import { until } from '../system/until.ts';
import { aPast, destinationOf } from './dashboard-past.ts';
import { button, goTo, heading } from './dashboard-page.ts';
import { browserTest as test } from './dashboard-site.ts';
import { type DashboardSystem, dashboardSystem } from './dashboard-system.ts';

test('a webhook is probed and saved, its events are seen as they come, and a failure is seen and mended', async (t) => {
  const system = await dashboardSystem(t, { env: { RETRY_SCHEDULE_SECONDS: '600' } });
  const connected = await system.channel();
  const hook = system.receiver.webhook('mine');
  await saveWebhook(t, system, { connected, hook });
  await watchDeliveries(t, system, { connected, hook });
  await mendDelivery(t, system, hook);
  await filterDeliveries(system);
  t.deepEqual(system.complaints, []);
});

interface Aimed {
  readonly connected: ConnectedChannel;
  readonly hook: ScriptedWebhook;
}

/** A probe fails and says on what; then both pass. */
async function saveWebhook(t: ExecutionContext<unknown>, system: DashboardSystem, { connected, hook }: Aimed) {
  const { page, visit, checkAccessibility } = system;
  await visit(`channels/${connected.publicId}`);
  await page.getByText('Events are stored and go nowhere').waitFor();
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await page.getByLabel('URL').fill(hook.url);
  await page.getByLabel('Verify token').fill('right');
  hook.set({ verifyToken: 'wrong' });
  await button(page, 'Probe and save').click();
  const probes = page.getByRole('status').filter({ hasText: 'Nothing was saved' });
  await probes.waitFor();
  t.regex(
    (await probes.textContent()) ?? '',
    /failed GET.*Expected.*Status 200 with the Verify Token.*Came back.*wrong.*not sent/s,
  );
  await checkAccessibility();
  hook.set({ verifyToken: 'right' });
  await button(page, 'Probe and save').click();
  await page.getByText('Saved: the URL passed both probes.').waitFor();
  await button(page, 'Send a test event').click();
  await page.getByRole('group', { name: 'The test' }).getByText('Accepted with 200').waitFor();
  await checkAccessibility();
}

/** One arrives while the page is open; another fails while it is held still. */
async function watchDeliveries(t: ExecutionContext<unknown>, system: DashboardSystem, { connected, hook }: Aimed) {
  const { page, sender, checkAccessibility } = system;
  await goTo(page, 'Deliveries', 'Workspace');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await page.getByText('No delivery yet').waitFor();
  await sender.message(connected, { from: '15550001', text: 'first' });
  await page.getByRole('row', { name: /delivered.*15550001/ }).waitFor();
  hook.set({ then: { status: 500, body: '{"error":"<b>broken</b>"}' } });
  await button(page, 'Pause').click();
  await sender.message(connected, { from: '15550002', text: 'second' });
  await page.getByText('Paused, 1 held back').waitFor();
  t.is(await page.getByRole('row', { name: /15550002/ }).count(), 0);
  await button(page, 'Resume').click();
  await page.getByRole('row', { name: /retrying.*15550002.*next attempt in/ }).waitFor();
  await checkAccessibility();
}

/** By the keys alone to the one that failed, and again once the receiver is well. */
async function mendDelivery(
  t: ExecutionContext<unknown>,
  { page, checkAccessibility }: DashboardSystem,
  hook: ScriptedWebhook,
) {
  await page.getByRole('grid').focus();
  for (const key of ['End', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await heading(page, 'Delivery').waitFor();
  await page.getByText('1 attempt failed. The next one is made in').waitFor();
  await page.getByText('Rejected with 500').first().waitFor();
  t.regex((await page.getByLabel('the payload', { exact: true }).textContent()) ?? '', /"body": "second"/);
  t.regex((await page.getByLabel('the answer', { exact: true }).textContent()) ?? '', /<b>broken<\/b>/);
  await checkAccessibility();
  hook.set({ then: { status: 200 } });
  await button(page, 'Retry now').click();
  await page.getByText('Accepted with 200').first().waitFor();
  await page.locator('.under-title').getByText('delivered', { exact: true }).waitFor();
}

async function filterDeliveries({ page }: DashboardSystem) {
  await page.goBack();
  await page.getByRole('row', { name: /delivered.*15550002/ }).waitFor();
  await page.getByLabel('Status').selectOption('exhausted');
  await page.getByText('No delivery fits').waitFor();
  await page.waitForURL(/[?]status=exhausted$/);
  await button(page, 'Show all').click();
  await button(page, 'More filters').click();
  await page.getByLabel('Sender').fill('15550001');
  await button(page, 'Filter').click();
  await page.getByText('1 delivery', { exact: true }).waitFor();
  await page.getByRole('row', { name: /15550001/ }).waitFor();
}

test('old events are counted, sent again with their progress on show, paused and resumed', async (t) => {
  const { page, channel, db, receiver, visit, checkAccessibility, complaints } = await dashboardSystem(t);
  const connected = await channel({ webhookUrl: receiver.webhook('replayed').url });
  await aPast(db, {
    channel: connected,
    destinationId: await destinationOf(db, connected),
    count: 300,
    spanSeconds: 600,
  });

  await visit(`deliveries?status=exhausted`);
  await page.getByRole('link', { name: /Replay these/ }).click();
  await heading(page, 'New replay').waitFor();
  t.true(await page.getByLabel('exhausted: given up').isChecked());
  await page.getByLabel('exhausted: given up').uncheck();
  await page.getByText('Choose at least one state.').waitFor();
  await page.getByLabel('delivered: accepted by the receiver').check();
  await page.getByLabel('Events a second, at most').fill('30');
  await button(page, 'Count (dry run)').click();
  const found = page.getByText(/^\d+ events would be sent, in [\d.]+ s at 30 a second/);
  await found.waitFor();
  const matched = Number.parseInt((await found.textContent()) ?? '', 10);
  await checkAccessibility();
  t.is(receiver.requests('replayed').length, 0, 'a dry run sends nothing');

  await button(page, `Send ${matched} events again`).click();
  await heading(page, 'Replay').waitFor();
  await button(page, 'Pause').click();
  const state = page.locator('.under-title');
  await state.getByText('paused', { exact: true }).waitFor();
  await checkAccessibility();
  await button(page, 'Resume').click();
  await state.getByText('completed', { exact: true }).waitFor();
  await page.getByText(`${matched} of ${matched} events sent.`).waitFor();
  await until(() => receiver.requests('replayed').length === matched, { for: 'All events at the receiver' });
  await goTo(page, 'Replays', 'Workspace');
  await page.getByRole('row', { name: new RegExp(`completed.*${matched} of ${matched}`) }).waitFor();
  await checkAccessibility();
  t.deepEqual(complaints, []);
});
