import type { ExecutionContext } from 'ava';
import type { ScriptedWebhook } from '../../../../simulator/receiver/scripted-webhook.ts';
import type { ConnectedChannel } from '../../../harness/system/system.ts';
import { untilStatuses } from '../../../harness/system/delivery-watch.ts';
import { until } from '../../../harness/until.ts';
import { insertPastDeliveries, destinationOf } from '../past-deliveries.ts';
import { button, chooseFilter, dialogButton, goTo, goToTab, heading } from '../dashboard-page.ts';
import { browserTest as test } from '../dashboard-site.ts';
import { type DashboardSystem, dashboardSystem } from '../dashboard-system.ts';

test('an admin sets a webhook, watches live deliveries and retries a failure', async (t) => {
  const system = await dashboardSystem(t);
  const connected = await system.channel();
  const hook = system.receiver.webhook('mine');
  await saveWebhook(t, system, { connected, hook });
  await watchDeliveries(t, system, { connected, hook });
  await retryDelivery(t, system, hook);
  await filterDeliveries(system);
  await watchWorkspace(system, connected);
  t.deepEqual(system.complaints, []);
});

interface Aimed {
  readonly connected: ConnectedChannel;
  readonly hook: ScriptedWebhook;
}

async function saveWebhook(t: ExecutionContext<unknown>, system: DashboardSystem, { connected, hook }: Aimed) {
  const { page, visit, checkAccessibility } = system;
  await visit(`channels/${connected.publicId}`);
  await page.getByText('Events are stored but not sent').waitFor();
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await page.getByLabel('URL').fill(hook.url);
  await page.getByLabel('Verify token').fill('right');
  hook.set({ verifyToken: 'wrong' });
  await button(page, 'Probe and save').click();
  const probes = page.getByRole('status').filter({ hasText: 'Not saved' });
  await probes.waitFor();
  t.regex(
    (await probes.textContent()) ?? '',
    /failed GET.*200 after \d.*Expected.*Status 200 with the Verify Token.*Received.*wrong.*not sent/s,
  );
  await checkAccessibility();
  hook.set({ verifyToken: 'right' });
  await button(page, 'Probe and save').click();
  await page.getByText('Saved. The URL passed both probes.').waitFor();
  await button(page, 'Send test event').click();
  const result = page.getByRole('group', { name: 'Test result' });
  await result.getByText('Accepted with 200').waitFor();
  await result.getByRole('button', { name: 'Copy as curl' }).waitFor();
  await checkAccessibility();
}

async function watchDeliveries(t: ExecutionContext<unknown>, system: DashboardSystem, { connected, hook }: Aimed) {
  const { api, page, sender, checkAccessibility } = system;
  await goTo(page, 'Deliveries', 'Workspace');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await page.getByText('No deliveries yet').waitFor();
  hook.set({ then: { status: 200, delayMs: 10_000 } });
  await sender.message(connected, { from: '15550001', text: 'first' });
  await page.getByRole('row', { name: /pending.*15550001/ }).waitFor();
  await button(page, 'Pause').click();
  await hook.waitForDeliveries(2); // after the test event
  hook.release();
  await untilStatuses(api, { channel: connected, statuses: ['delivered'] });
  hook.set({ then: { status: 500, body: '{"error":"<b>broken</b>"}' } });
  await sender.message(connected, { from: '15550002', text: 'second' });
  await page.getByText('Paused, 1 new').waitFor();
  t.is(await page.getByRole('row', { name: /15550002/ }).count(), 0);
  await button(page, 'Resume').click();
  await page.getByRole('row', { name: /delivered.*15550001/ }).waitFor();
  await page.getByRole('row', { name: /retrying.*15550002.*next attempt in/ }).waitFor();
  await checkAccessibility();
}

async function retryDelivery(
  t: ExecutionContext<unknown>,
  { page, checkAccessibility }: DashboardSystem,
  hook: ScriptedWebhook,
) {
  await page.getByRole('grid').focus();
  for (const key of ['End', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await heading(page, 'second').waitFor();
  await page.getByText('1 attempt failed. The next attempt is due in').waitFor();
  await page.getByText('Rejected with 500').first().waitFor();
  t.regex((await page.getByLabel('payload', { exact: true }).textContent()) ?? '', /"body": "second"/);
  t.regex((await page.getByLabel('response', { exact: true }).textContent()) ?? '', /<b>broken<\/b>/);
  await checkAccessibility();
  hook.set({ then: { status: 200 } });
  await button(page, 'Retry now').click();
  await page.getByText('Accepted with 200').first().waitFor();
  await page.locator('.under-title').getByText('delivered', { exact: true }).waitFor();
}

async function filterDeliveries({ page }: DashboardSystem) {
  await page.goBack();
  await page.getByRole('row', { name: /delivered.*15550002/ }).waitFor();
  await chooseFilter(page, 'Status', ['exhausted']);
  await page.getByText('No matching deliveries').waitFor();
  await page.waitForURL(/[?]status=exhausted$/);
  await chooseFilter(page, 'Status', ['retrying']);
  await page.waitForURL(/[?]status=retrying%2Cexhausted$/);
  await page.getByText('No matching deliveries').waitFor();
  await button(page, 'Clear filters').click();
  await page.keyboard.press('/');
  await page.keyboard.type('15550001');
  await page.keyboard.press('Enter');
  await page.getByText('1 delivery', { exact: true }).waitFor();
  await page.getByRole('row', { name: /15550001/ }).waitFor();
}

async function watchWorkspace({ page, sender, visit, channel, receiver }: DashboardSystem, first: ConnectedChannel) {
  const second = await channel({ webhookUrl: receiver.webhook('second').url });
  await visit('deliveries');
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  await sender.message(second, { from: '15550008', text: 'to the second' });
  await sender.message(first, { from: '15550009', text: 'to the first' });
  for (const from of ['15550008', '15550009']) {
    await page.getByRole('row', { name: new RegExp(`delivered.*${from}`) }).waitFor();
  }
}

test('an admin counts, replays, pauses and resumes past events', async (t) => {
  const { page, channel, db, receiver, visit, checkAccessibility, complaints } = await dashboardSystem(t);
  const connected = await channel({ webhookUrl: receiver.webhook('replayed').url });
  await insertPastDeliveries(db, {
    channel: connected,
    destinationId: await destinationOf(db, connected),
    count: 300,
    spanSeconds: 600,
  });

  await visit(`deliveries?status=exhausted`);
  await page.getByRole('link', { name: /Replay these/ }).click();
  await heading(page, 'Create replay').waitFor();
  t.true(await page.getByLabel('exhausted: all attempts failed').isChecked());
  await page.getByLabel('exhausted: all attempts failed').uncheck();
  await page.getByText('Choose at least one status.').waitFor();
  await page.getByLabel('delivered: accepted by the receiver').check();
  await page.getByLabel('Maximum events per second').fill('30');
  await button(page, 'Count events (dry run)').click();
  const found = page.getByText(/^\d+ events would be sent in [\d.]+ s at 30 per second/);
  await found.waitFor();
  const matched = Number.parseInt((await found.textContent()) ?? '', 10);
  await checkAccessibility();
  t.is(receiver.requests('replayed').length, 0, 'a dry run sends nothing');

  await button(page, `Replay ${matched} events`).click();
  await heading(page, 'Replay').waitFor();
  await button(page, 'Pause').click();
  const state = page.locator('.under-title');
  await state.getByText('paused', { exact: true }).waitFor();
  await checkAccessibility();
  await button(page, 'Resume').click();
  await state.getByText('completed', { exact: true }).waitFor();
  await page.getByText(`${matched} of ${matched} events sent.`).waitFor();
  await until(() => receiver.requests('replayed').length === matched, { for: 'all events at the receiver' });
  await goTo(page, 'Replays', 'Workspace');
  await page.getByRole('row', { name: new RegExp(`completed.*${matched} of ${matched}`) }).waitFor();
  await checkAccessibility();
  t.deepEqual(complaints, []);
});

test('an admin replays, pauses, resumes and cancels events of all workspaces', async (t) => {
  const system = await dashboardSystem(t);
  const { page, tenant, receiver, visit, checkAccessibility, complaints } = system;
  await channelsOfTwoWorkspaces(system);
  await visit('');
  await goTo(page, 'Replays', 'Workspace');
  await goToTab(page, 'All workspaces');
  await page.getByText('No replays yet').waitFor();
  await page.getByRole('link', { name: 'Create replay' }).first().click();
  await heading(page, 'Create replay').waitFor();
  t.is(await page.getByLabel('Channel', { exact: true }).count(), 0, 'the replay covers all channels');
  await page.getByLabel('delivered: accepted by the receiver').check();
  await page.getByLabel('Maximum events per second').fill('1');
  await page.keyboard.press('Enter');
  await page.getByText(/^80 events would be sent in .* at 1 per second/).waitFor();
  await checkAccessibility();

  await button(page, 'Replay 80 events').click();
  await heading(page, 'Replay').waitFor();
  t.regex(page.url(), new RegExp(`/app/${tenant.organization.publicId}/replays/rpl_`));
  await page.getByText('entire organization').waitFor();
  const state = page.locator('.under-title');
  await button(page, 'Pause').click();
  await state.getByText('paused', { exact: true }).waitFor();
  await checkAccessibility();
  await button(page, 'Resume').click();
  await until(() => receiver.requests('everywhere').length > 0, { for: 'a replayed event' });
  await button(page, 'Cancel replay').click();
  await dialogButton(page, 'Cancel replay').click();
  await state.getByText('cancelled', { exact: true }).waitFor();
  await replayTeam(system);
  await seeReplays(system);
  t.true(receiver.requests('everywhere').length <= 80);
  t.deepEqual(complaints, []);
});

async function replayTeam({ api, tenant }: DashboardSystem) {
  const nowMs = Date.now();
  const span = { since: new Date(nowMs - 3_600_000).toISOString(), until: new Date(nowMs).toISOString() };
  const scope = `workspace:${tenant.workspace.publicId}`;
  await api.call('POST /replays', { scope, ...span, statuses: ['delivered'], ratePerSecond: 5 });
}

async function seeReplays({ page, checkAccessibility }: DashboardSystem) {
  await goTo(page, 'Replays', 'Workspace');
  await goToTab(page, 'All workspaces');
  await page.getByRole('row', { name: /of 40/ }).getByRole('link', { name: 'Team' }).waitFor();
  await page.getByRole('row', { name: /cancelled.*of 80.*entire organization/ }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 800 });
  await checkAccessibility();
}

async function channelsOfTwoWorkspaces({ db, channel, receiver, api, tenant }: DashboardSystem) {
  const { body } = await api.call(`POST /organizations/${tenant.organization.publicId}/workspaces`, {
    name: 'Sunrise Bakery',
    kind: 'customer',
  });
  const customer = await db('workspaces').where({ public_id: body.id }).first('id');
  for (const workspaceId of [tenant.workspace.id, customer.id]) {
    const made = await channel({ webhookUrl: receiver.webhook('everywhere').url });
    await db('channels').where({ id: made.id }).update({ workspace_id: workspaceId });
    await insertPastDeliveries(db, {
      channel: made,
      destinationId: await destinationOf(db, made),
      count: 40,
      spanSeconds: 600,
    });
  }
}
