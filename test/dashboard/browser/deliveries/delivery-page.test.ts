import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { cancelDelivery } from '../../../../db/ledger/cancel-delivery.ts';
import { aLedgerDelivery, aWebhook, type LedgerDelivery } from '../../../harness/deliveries/ledger.ts';
import { aSentAttempt } from '../../../harness/deliveries/sent-attempts.ts';
import { aChannel } from '../../../harness/tenants.ts';
import { until } from '../../../harness/until.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const oldUrl = 'https://receiver.example.com/first?key=1';
const body = JSON.stringify({ entry: [{ messages: [{ type: 'text', text: { body: 'Where is my parcel?' } }] }] });

async function pageStage(t: ExecutionContext<unknown>) {
  const site = await dashboardSite(t);
  const { db, tenant, signIn } = site;
  const channel = await aChannel(db, tenant.workspace);
  const destinationId = await aWebhook(db, channel, { url: 'https://receiver.example.com/second' });
  const path = `/app/${tenant.organization.publicId}/${tenant.workspace.publicId}/deliveries`;
  const deliver = (delivery: LedgerDelivery) => aLedgerDelivery(db, channel, { destinationId, body, ...delivery });
  const failedOnce = async (deliveryId: number) => {
    const attempt = {
      delivery_id: deliveryId,
      number: 1,
      started_at: new Date(Date.now() - 60_000),
      duration_ms: 30_000,
    };
    await db('attempts').insert({ ...attempt, outcome: 'no_response', error: 'The receiver did not answer in 30 s.' });
  };
  const open = (publicId = '') => signIn(tenant.user.email, `${path}/${publicId}`);
  return { ...site, path, destinationId, deliver, failedOnce, open };
}

test('a delivery shows its former URL, its headers and its story', async (t) => {
  const { db, page, deliver, failedOnce, look, open, complaints } = await pageStage(t);
  const { id, publicId } = await deliver({
    status: 'delivered',
    attemptCount: 2,
    createdAt: new Date(Date.now() - 61_000),
  });
  await failedOnce(id);
  await aSentAttempt(db, { deliveryId: id, url: oldUrl, secret, body, number: 2 });
  await open(publicId);
  await page.getByText(`POST ${oldUrl}`).first().waitFor();
  await page.getByText('The destination has another URL now').waitFor();
  await page.getByText('x-service-attempt').waitFor();
  await page.getByText(/after a wait of/).waitFor();
  await look('delivery-delivered');
  await page.getByRole('button', { name: /Attempt 1: No response/ }).click();
  await page.getByText('Unknown: the URL at that time was not recorded').waitFor();
  await page.getByText("The destination's URL now").waitFor();
  t.deepEqual(complaints, []);
});

test('a cancelled delivery names the person, and a held one its circuit', async (t) => {
  const { db, page, tenant, path, destinationId, deliver, failedOnce, look, open } = await pageStage(t);
  const cancelled = await deliver({ status: 'pending' });
  const { publicId: userId, email } = tenant.user;
  const audit = { organizationId: tenant.organization.id, actor: { type: 'user', id: userId } } as const;
  await cancelDelivery(db, { id: cancelled.id, audit: { ...audit, action: 'delivery.cancelled' } });
  await open(cancelled.publicId);
  await page.getByText(`Cancelled by ${email}`).first().waitFor();
  await look('delivery-cancelled');

  const held = await deliver({ status: 'pending', attemptCount: 1 });
  await failedOnce(held.id);
  await db('destinations')
    .where({ id: destinationId })
    .update({
      circuit: 'open',
      circuit_reason: 'failures',
      circuit_opened_at: new Date(),
      circuit_probe_at: new Date(Date.now() + 3_600_000),
    });
  await page.goto(new URL(`${path}/${held.publicId}`, page.url()).href);
  await page.getByText('Held: the circuit of the destination is open').waitFor();
  await look('delivery-held');
  t.is(await page.locator('.button.primary').count(), 1);
});

test('a delivery shows its text as title and the next attempt first', async (t) => {
  const { db, page, deliver, look, open } = await pageStage(t);
  const text = '{"entry":[{"messages":[{"type":"text","text":{"body":"Gr\\u00fc\\u00dfe: where is my parcel?"}}]}]}';
  const { id, publicId } = await deliver({ status: 'retrying', attemptCount: 12, body: text });
  for (let number = 1; number <= 12; number++) {
    const started_at = new Date(Date.now() - (13 - number) * 60_000);
    await db('attempts').insert({
      delivery_id: id,
      number,
      started_at,
      duration_ms: 5,
      outcome: 'rejected',
      status: 503,
    });
  }
  await open(publicId);
  await page.getByRole('heading', { level: 1, name: 'Grüße: where is my parcel?' }).waitFor();
  await page.locator('.under-title').getByText('from 15550001').waitFor();
  await page.getByLabel('payload', { exact: true }).getByText('"Grüße: where is my parcel?"').waitFor();
  const entries = await page.locator('.timeline .what').allTextContents();
  t.deepEqual(entries.slice(0, 2), ['Attempt 13', 'Attempt 12: Rejected with 503']);
  const left = async (title: string) => (await page.getByRole('heading', { name: title }).boundingBox())?.x;
  t.is(await left('Timeline'), await left('Response to attempt 12'));
  t.is(await left('Event'), await left('Payload'));
  await look('delivery-retrying');
});

const inProgress = {
  statusCode: 409,
  code: 'DELIVERY_IN_PROGRESS',
  message: 'An attempt of this delivery is in progress. Wait until it ends and look at its result before you retry.',
  requestId: 'req_12345678',
};

test('an error of a delivery leaves its buttons unchanged', async (t) => {
  const { page, deliver, look, open } = await pageStage(t);
  await open((await deliver({ status: 'exhausted' })).publicId);
  const retry = page.getByRole('button', { name: 'Retry delivery' });
  const before = await retry.boundingBox();
  await page.route('**/retry', (route) => route.fulfill({ status: 409, json: inProgress }));
  await retry.click();
  await page.getByRole('alert').waitFor();
  t.deepEqual(await retry.boundingBox(), before);
  await look('delivery-error');
});

test('j and k open the next and the previous delivery', async (t) => {
  const { page, deliver, open } = await pageStage(t);
  const older = await deliver({ status: 'delivered' });
  const newer = await deliver({ status: 'delivered' });
  await open();
  await page.getByRole('row').filter({ hasText: 'delivered' }).first().waitFor();
  await pressUntil(page, 'j', () => page.locator('.delivery-row.active').count());
  await page.getByRole('grid').press('Home');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(newer.publicId));
  await pressUntil(page, 'j', () => page.url().includes(older.publicId));
  await page.getByRole('link', { name: 'Previous delivery' }).waitFor();
  await pressUntil(page, 'k', () => page.url().includes(newer.publicId));
  t.pass();
});

/** A shortcut works once its component has been painted. */
async function pressUntil(page: Page, key: string, isDone: () => unknown): Promise<void> {
  await until(
    async () => {
      await page.keyboard.press(key);
      return Boolean(await isDone());
    },
    { for: `the key ${key}` },
  );
}
