import { readFile } from 'node:fs/promises';
import type { ExecutionContext } from 'ava';
import { aLedgerDelivery, aWebhook, type LedgerDelivery } from '../../../harness/deliveries/ledger.ts';
import { aSentAttempt } from '../../../harness/deliveries/sent-attempts.ts';
import { aChannel } from '../../../harness/tenants.ts';
import { button, chooseFilter, dialogButton } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

const HOUR_MS = 3_600_000;
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const oldUrl = 'https://receiver.example.com/first?key=1';

const messageOf = (text: string): string =>
  JSON.stringify({ entry: [{ changes: [{ value: { messages: [{ type: 'text', text: { body: text } }] } }] }] });

async function listStage(t: ExecutionContext<unknown>) {
  const site = await dashboardSite(t);
  const { db, tenant, signIn } = site;
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel);
  const workspacePath = `/app/${tenant.organization.publicId}/${tenant.workspace.publicId}`;
  const deliver = (delivery: LedgerDelivery) => aLedgerDelivery(db, channel, { destinationId, ...delivery });
  const refused = async (text: string, ago: number) => {
    const createdAt = new Date(Date.now() - ago);
    const made = await deliver({ status: 'exhausted', attemptCount: 1, body: messageOf(text), createdAt });
    await db('attempts').insert({
      delivery_id: made.id,
      number: 1,
      started_at: createdAt,
      duration_ms: 212,
      outcome: 'rejected',
      status: 503,
      response_headers: { 'content-type': 'text/plain' },
      response_body: Buffer.from('upstream is down'),
    });
    return made;
  };
  const accepted = async (text: string, ago: number) => {
    const createdAt = new Date(Date.now() - ago);
    const made = await deliver({ status: 'delivered', attemptCount: 1, body: messageOf(text), createdAt });
    await aSentAttempt(db, { deliveryId: made.id, url: oldUrl, secret, body: messageOf(text) });
    return made;
  };
  const open = (path = 'deliveries') => signIn(tenant.user.email, `${workspacePath}/${path}`);
  return { ...site, channel, destinationId, workspacePath, deliver, refused, accepted, open };
}

test('an admin finds, filters, selects and retries deliveries', async (t) => {
  const stage = await listStage(t);
  const { page, db } = stage;
  for (let index = 0; index < 24; index++) await stage.accepted(`Thank you number ${index}`, (23 - index) * HOUR_MS);
  for (const text of ['Where is my parcel?', 'Is the shop open?', 'A parcel is missing'])
    await stage.refused(text, HOUR_MS);
  await stage.deliver({ status: 'pending', body: messageOf('Still waiting') });
  await stage.open();
  await page.getByRole('row', { name: /exhausted.*503.*Where is my parcel/ }).waitFor();
  await page.getByText('24 delivered').waitFor();
  await stage.look('list-full');

  await page.keyboard.press('/');
  await page.keyboard.type('parcel');
  await page.keyboard.press('Enter');
  await page.getByText('Searched all 28 deliveries').waitFor();
  t.is(await page.locator('.delivery-space [role=row]').count(), 2);
  await page.getByText('0 delivered').waitFor(); // the histogram follows the search
  await page.getByText('2 failed').waitFor();
  await stage.look('list-search');
  await button(page, 'Clear filters').click();

  await chooseFilter(page, 'Response', ['5xx']);
  await page.getByText('3 deliveries', { exact: true }).waitFor();
  await page.waitForURL(/http=5xx/);
  await page.locator('h1').click();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  await button(page, 'Select all that match').click();
  await page.getByText('3 selected').waitFor();
  await stage.look('list-selected');
  await page.getByRole('group', { name: 'Selected deliveries' }).getByRole('button', { name: 'Retry' }).click();
  await dialogButton(page, 'Retry 3 deliveries').click();
  await page.getByText('3 retried').waitFor();
  await dialogButton(page, 'Close').last().click();
  t.is(Number((await db('deliveries').where({ status: 'pending' }).count())[0]!['count']), 4);
  t.deepEqual(stage.complaints, []);
});

test('a replay is the newest delivery and names its original', async (t) => {
  const stage = await listStage(t);
  const { page, tenant, call } = stage;
  const original = await stage.accepted('Rye bread, please', 5 * HOUR_MS);
  await stage.accepted('Good morning', 2 * HOUR_MS);
  const at = { key: tenant.apiKey, workspace: tenant.workspace.publicId };
  t.is((await call(`POST /deliveries/${original.publicId}/replay`, at)).status, 202);
  await stage.open();
  const first = page.locator('.delivery-space [role=row]').first();
  await first.getByText('replay', { exact: true }).waitFor();
  await first.getByText('Rye bread, please').waitFor();
  await first.getByRole('link').click();
  await page.locator('.under-title').getByRole('link', { name: original.publicId }).waitFor();
});

test('a phone folds the filters', async (t) => {
  const stage = await listStage(t);
  const { page } = stage;
  await page.setViewportSize({ width: 390, height: 844 });
  await stage.open('deliveries?status=exhausted');
  const status = page.getByRole('button', { name: /^Status/ });
  await button(page, 'Filters: 1').waitFor();
  t.false(await status.isVisible());
  await button(page, 'Filters: 1').click();
  t.true(await status.isVisible());
});

test('a bulk action lists what failed', async (t) => {
  const stage = await listStage(t);
  const { page } = stage;
  await stage.accepted('Done', HOUR_MS);
  const waiting = await stage.deliver({ status: 'pending', body: messageOf('Waiting') });
  await stage.open();
  await page.getByLabel('Select all that are loaded').check();
  await page.getByRole('group', { name: 'Selected deliveries' }).getByRole('button', { name: 'Cancel' }).click();
  await dialogButton(page, 'Cancel 2 deliveries').click();
  await page.getByText('1 cancelled, 1 not cancelled').waitFor();
  await page.getByText('The delivery has ended: delivered.').waitFor();
  await stage.look('bulk-failed');
  const row = await stage.db('deliveries').where({ id: waiting.id }).first('status', 'cancellation');
  t.like(row, { status: 'cancelled', cancellation: { reason: 'requested', actorType: 'user' } });
});

test('a bar of the histogram filters by its time', async (t) => {
  const stage = await listStage(t);
  const { page } = stage;
  await stage.accepted('Old', 20 * HOUR_MS);
  await stage.refused('New', HOUR_MS);
  await stage.open();
  await page.getByRole('button', { name: /: 1 failed/ }).click();
  await page.getByText('1 delivery', { exact: true }).waitFor();
  await page.waitForURL(/since=.*until=/);
  await page.getByRole('row', { name: /New/ }).waitFor();
  t.deepEqual(stage.complaints, []);
});

test('an export has the filtered list', async (t) => {
  const stage = await listStage(t);
  const { page } = stage;
  await stage.accepted('Exported', HOUR_MS);
  await stage.refused('Left out', HOUR_MS);
  await stage.open('deliveries?status=delivered');
  await button(page, 'Export').click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^CSV/ }).click();
  const download = await downloading;
  t.is(download.suggestedFilename(), 'deliveries.csv');
  const text = await readFile(await download.path(), 'utf8');
  t.regex(text, /Exported/);
  t.notRegex(text, /Left out/);
});

test('a search without matches so far offers to search further', async (t) => {
  const stage = await listStage(t);
  const { page } = stage;
  const search = { by: 'scan', scannedCount: 2_000, scannedBackTo: new Date().toISOString() };
  await page.route(/\/deliveries\?.*search=/, (route) =>
    route.fulfill({ json: { deliveries: [], nextCursor: 'older', search } }),
  );
  await stage.open('deliveries?q=hello');
  await page.getByText('Nothing found yet').waitFor();
  await button(page, 'Search further back').waitFor();
  t.is(await page.getByText('Clear a filter').count(), 0);
});

test('an empty and a failing list say what to do', async (t) => {
  const stage = await listStage(t);
  const { page } = stage;
  await stage.open();
  await page.getByText('No deliveries yet').waitFor();
  await stage.look('list-empty');
  await page.route('**/deliveries?*', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"statusCode":503}' }),
  );
  await page.reload();
  await button(page, 'Try again').waitFor();
  await stage.look('list-failing');
  await page.unroute('**/deliveries?*');
  await page.route('**/deliveries?*', () => undefined); // never answers
  await page.reload();
  await page.getByText('Loading').first().waitFor();
  await stage.look('list-loading');
});
