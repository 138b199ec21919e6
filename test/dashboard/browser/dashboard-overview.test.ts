import type { Page } from 'playwright-core';
import { aLedgerDelivery, aWebhook } from '../../harness/deliveries/ledger.ts';
import { anAlert } from '../../harness/deliveries/alerts.ts';
import { aChannel } from '../../harness/tenants.ts';
import { browserTest as test, dashboardSite, type DashboardSite } from './dashboard-site.ts';

const HOUR_MS = 3_600_000;

test('the overview offers the first step while nothing is connected', async (t) => {
  const { page, look, tenant, signIn, complaints } = await dashboardSite(t);
  await signIn(tenant.user.email, pathOf(tenant));
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  await page.getByText('No deliveries in the last two days.').waitFor();
  t.is(await page.getByRole('heading', { name: 'Needs attention' }).count(), 0);
  await look('overview-empty');
  t.deepEqual(complaints, []);
});

test('the first steps are ticked and the last one sends a message', async (t) => {
  const { db, page, look, tenant, signIn } = await dashboardSite(t);
  const channel = await aChannel(db, tenant.workspace);
  const destination_id = await aWebhook(db, channel);
  const sent = {
    url: 'https://receiver.example.com/',
    body: Buffer.from('{}'),
    started_at: new Date(),
    duration_ms: 1,
  };
  const of = { channel_id: channel.id, destination_id, event_type: 'chatapp.message.received' };
  await db('test_events').insert({ ...of, ...sent, outcome: 'accepted' });
  await page.route('**/app/simulated-messages/**', async (route) => {
    const { id } = await aLedgerDelivery(db, channel, { destinationId: destination_id, status: 'delivered' });
    t.true(id > 0);
    await db('destinations').where({ id: destination_id }).update({ last_delivered_at: new Date() });
    await route.fulfill({ status: 204 });
  });
  await signIn(tenant.user.email, pathOf(tenant));
  await page.getByRole('listitem').filter({ hasText: 'Send a test event (done)' }).waitFor();
  await page.getByRole('button', { name: 'Send simulated message' }).click();
  await page.getByRole('listitem').filter({ hasText: 'See the first delivery here (done)' }).waitFor();
  t.is(await page.locator('.first-step.done').count(), 4);
  await look('overview-first-steps');
});

test('the overview shows the counts of a day', async (t) => {
  const site = await dashboardSite(t);
  const { db, page, look, tenant, signIn, complaints } = site;
  const channel = await aChannel(db, tenant.workspace);
  await fillDay(site, { channel, destinationId: await aWebhook(db, channel) });
  await signIn(tenant.user.email, pathOf(tenant));
  await page.getByText('95 %').waitFor();
  await page.getByText('Show as table').click();
  await page.getByRole('columnheader', { name: 'Failed', exact: true }).waitFor();
  t.true(await hasInk(page));
  t.is(await page.getByRole('heading', { name: 'First steps' }).count(), 0);
  await look('overview-full');
  await page.goto(new URL(`/app/${tenant.organization.publicId}/overview`, page.url()).href);
  await page.getByText('95 %').waitFor();
  await page.goto(new URL(`${pathOf(tenant)}/channels/${channel.publicId}`, page.url()).href);
  await page.getByRole('button', { name: '24 h' }).click();
  await page.getByRole('figure', { name: 'Delivery latency' }).waitFor();
  await look('overview-channel');
  t.deepEqual(complaints, []);
});

test('late deliveries are trouble on the overview and the channel', async (t) => {
  const site = await dashboardSite(t);
  const { db, page, look, tenant, signIn, complaints } = site;
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  const createdAt = new Date(Date.now() - HOUR_MS);
  for (let n = 0; n < 3; n++) await aLedgerDelivery(db, channel, { destinationId, createdAt });
  await signIn(tenant.user.email, pathOf(tenant));
  await page.locator('.trouble .bad').getByText('Deliveries late').waitFor();
  await page.locator('.tile .bad').getByText('0 %').waitFor();
  await page.getByRole('table', { name: 'Channels' }).getByText('Deliveries late').waitFor();
  await look('overview-late');
  await page.goto(new URL(`${pathOf(tenant)}/channels/${channel.publicId}`, page.url()).href);
  await page.getByText('Deliveries late: the service sends nothing, contact its operator').waitFor();
  await page.getByText('3 deliveries are waiting, the oldest from 1 hour ago.').waitFor();
  await look('channel-late');
  t.deepEqual(complaints, []);
});

/** The browser's sum of how far what is shown moves by itself. */
const SHIFTS = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
})`;

for (const width of [1440, 390]) {
  test(`the overview at ${width} pixels does not move while it loads`, async (t) => {
    const site = await dashboardSite(t);
    const { db, page, tenant, signIn } = site;
    const channel = await aChannel(db, tenant.workspace);
    await fillDay(site, { channel, destinationId: await aWebhook(db, channel) });
    await page.setViewportSize({ width, height: 900 });
    await signIn(tenant.user.email, '/app/account');
    await page.goto(new URL(pathOf(tenant), page.url()).href);
    await page.getByText('95 %').waitFor();
    await page.locator('.chart canvas').waitFor();
    await page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
    t.true((await page.evaluate<number>(SHIFTS)) < 0.05);
  });
}

test('a disabled webhook shows its reason and the actions that help', async (t) => {
  const site = await dashboardSite(t);
  const { db, page, look, tenant, signIn, complaints } = site;
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  await fillDay(site, { channel, destinationId });
  const since = new Date(Date.now() - 2 * HOUR_MS);
  const disabled = { enabled: false, disabled_reason: 'failing', failing_since: since };
  await db('destinations').where({ id: destinationId }).update(disabled);
  const place = { organizationId: tenant.organization.id, workspaceId: tenant.workspace.id, channelId: channel.id };
  await anAlert(db, { ...place, kind: 'channel.disconnected', label: 'Support' });
  await signIn(tenant.user.email, pathOf(tenant));
  await page.getByText('500 from https://receiver.example.com/hook: upstream is down').waitFor();
  await page.getByRole('button', { name: 'Enable again' }).waitFor();
  await page.getByRole('link', { name: 'Connect again' }).waitFor();
  await look('overview-failing');
  await page.getByRole('link', { name: 'Replay what was skipped' }).click();
  await page.getByRole('heading', { level: 1, name: 'Create replay' }).waitFor();
  const query = new URL(page.url()).searchParams;
  t.deepEqual(
    [query.get('status'), query.get('channel'), query.get('since')],
    ['skipped', channel.publicId, since.toISOString()],
  );
  await page.goto(new URL(`${pathOf(tenant)}/channels/${channel.publicId}`, page.url()).href);
  await page.getByText('webhook disabled', { exact: true }).waitFor();
  t.deepEqual(complaints, []);
});

function pathOf({ organization, workspace }: DashboardSite['tenant']): string {
  return `/app/${organization.publicId}/${workspace.publicId}`;
}

interface Place {
  readonly channel: Awaited<ReturnType<typeof aChannel>>;
  readonly destinationId: number;
}

/** 19 delivered deliveries and a failed one. */
async function fillDay({ db }: DashboardSite, { channel, destinationId }: Place): Promise<void> {
  for (let n = 0; n < 20; n++) {
    const createdAt = new Date(Date.now() - (n + 0.2) * HOUR_MS);
    const isFailed = n === 3;
    const of = { destinationId, status: isFailed ? 'exhausted' : 'delivered', attemptCount: 1, createdAt } as const;
    const { id } = await aLedgerDelivery(db, channel, of);
    await db('attempts').insert({
      delivery_id: id,
      number: 1,
      started_at: new Date(createdAt.getTime() + 20 * 2 ** (n % 10)),
      duration_ms: 10,
      outcome: isFailed ? 'rejected' : 'accepted',
      status: isFailed ? 500 : 200,
      response_body: Buffer.from(isFailed ? 'upstream is down' : 'ok'),
    });
  }
}

/** Whether the first chart has a pixel of the color of failed deliveries. */
async function hasInk(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] > 170 && data[at + 1] < 60 && data[at + 2] < 60 && data[at + 3] > 200) return true;
    }
    return false;
  })()`);
}
