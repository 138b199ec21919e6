import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { readWebhookSecret } from '../../../../db/webhooks/secrets.ts';
import { startReceiver } from '../../../../simulator/receiver/receiver.ts';
import { aLedgerDelivery, aWebhook } from '../../../harness/deliveries/ledger.ts';
import { aSentAttempt, aSentBatch } from '../../../harness/deliveries/sent-attempts.ts';
import { aChannel, testSecretBox } from '../../../harness/tenants.ts';
import { button, dialogButton } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

const body = `{"text":"it's 100 %\\n é"}\n`;

const secretField = 'Secret that your receiver uses';
const bodyField = 'Body that your receiver verifies';

async function deliveryPage(t: ExecutionContext<unknown>, own: Readonly<Record<string, string>> = {}) {
  const stage = await deliveryStage(t);
  const { db, webhook, secret, aDelivery, open } = stage;
  const { id, publicId } = await aDelivery();
  await aSentAttempt(db, { deliveryId: id, secret, body, url: webhook.url, own });
  await open(publicId);
  return stage;
}

/** The page of the first of three deliveries in one request. */
async function batchPage(t: ExecutionContext<unknown>) {
  const stage = await deliveryStage(t);
  const { db, webhook, secret, aDelivery, open } = stage;
  const deliveries = [await aDelivery(), await aDelivery(), await aDelivery()];
  const ids = deliveries.map(({ id }) => id);
  const sent = await aSentBatch(db, { deliveryIds: ids, secret, url: webhook.url });
  const deleteLast = async () => {
    await db('attempts').where({ delivery_id: ids[2] }).delete();
    await db('deliveries').where({ id: ids[2] }).delete();
  };
  return { ...stage, sent, deleteLast, show: () => open(deliveries[0]!.publicId) };
}

async function deliveryStage(t: ExecutionContext<unknown>) {
  const site = await dashboardSite(t);
  const { db, tenant, signIn } = site;
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  const webhook = receiver.webhook('old');
  const channel = await aChannel(db, tenant.workspace);
  const { secret } = await readWebhookSecret(db, testSecretBox, {
    channelId: channel.id,
    channelPublicId: channel.publicId,
  });
  webhook.set({ secret });
  const destinationId = await aWebhook(db, channel);
  const aDelivery = () => aLedgerDelivery(db, channel, { destinationId, status: 'delivered', attemptCount: 1, body });
  const workspacePath = `/app/${tenant.organization.publicId}/${tenant.workspace.publicId}`;
  const open = (publicId: string) => signIn(tenant.user.email, `${workspacePath}/deliveries/${publicId}`);
  return { ...site, webhook, secret, aDelivery, open };
}

test('the copied curl command repeats the signed request of an attempt', async (t) => {
  const site = await deliveryPage(t, { 'x-api-key': 'not recorded' });
  const { page, context, webhook, checkAccessibility, complaints } = site;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const panel = page.locator('section').filter({ hasText: 'Request of attempt 1' });
  await panel.getByText(webhook.url).waitFor();
  await page.getByText('The destination has another URL now: https://receiver.example.com/hook').waitFor();
  await panel.getByText('HEADER_X_API_KEY').waitFor();
  await panel.getByText('x-service-signature-256').waitFor();
  await checkAccessibility();
  await button(page, 'Copy as curl').click();
  await page.getByText('Copied request as a curl command.').waitFor();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');

  await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, HEADER_X_API_KEY: 'k1' } });
  const [received, ...others] = webhook.deliveries();
  t.deepEqual(others, []);
  t.like(received, { signatureValid: true, standardSignatureValid: true });
  t.is(Buffer.from(received!.bodyBase64!, 'base64').toString(), body);
  t.deepEqual(complaints, []);
});

const explanations = [
  'The secret is the one that signed this request.',
  'The body is the one that was signed.',
  'You read x-signature.',
  'The headers are not those of this attempt.',
  's old. Libraries refuse more than 300 s',
  'You use the decoded secret for X-Service-Signature-256.',
];

test('the browser explains why a signature does not match', async (t) => {
  const { page, secret, checkAccessibility, complaints } = await deliveryPage(t);
  await button(page, 'Check a signature').click();
  const sentTo: string[] = [];
  // The menu counts the open alerts once a minute, and the part that shows notifications is loaded after the page.
  const isOfPage = /\/alert-count|\/assets\/[^/?]+$/;
  page.on('request', (request) => isOfPage.test(request.url()) || sentTo.push(request.url()));
  const says = async (text: string): Promise<void> => await page.getByRole('dialog').getByText(text).waitFor();
  const fill = (label: string, text: string) => page.getByLabel(label).fill(text);

  await fill(secretField, 'whsec_AAAA');
  await dialogButton(page, 'Check').click();
  await says('This secret did not sign the attempt.');
  await fill(secretField, secret.slice('whsec_'.length));
  await fill(bodyField, JSON.stringify(JSON.parse(body), null, 2));
  await dialogButton(page, 'Check').click();
  await says('The secret lacks whsec_');
  await says('The body was parsed and written again');
  await checkAccessibility();
  await fill(secretField, secret);
  await fill(bodyField, '');
  await fill(
    'Headers that your receiver got',
    'Webhook-Id: wd_00000000\nwebhook-timestamp: 1700000000\nX-Signature: 1',
  );
  await fill(
    'Signature that your receiver computes',
    createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
      .update(body)
      .digest('hex'),
  );
  await dialogButton(page, 'Check').click();
  for (const text of explanations) await says(text);
  t.deepEqual(sentTo, [], 'nothing is sent');
  t.deepEqual(complaints, []);
});

test('an array is copied and checked with all of its events', async (t) => {
  const { page, context, webhook, secret, sent, show, complaints } = await batchPage(t);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await show();
  await button(page, 'Copy as curl').click();
  await page.getByText('Copied request as a curl command.').waitFor();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  await promisify(execFile)('sh', ['-c', command]);
  const [received] = webhook.deliveries();
  t.like(received, { signatureValid: true, standardSignatureValid: true });
  t.is(Buffer.from(received!.bodyBase64!, 'base64').toString(), sent);

  await button(page, 'Check a signature').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(secretField).fill(secret);
  await dialogButton(page, 'Check').click();
  await dialog.getByText('The secret is the one that signed this request.').waitFor();
  await dialog.getByText('The body is the one that was signed.').waitFor();
  t.deepEqual(complaints, []);
});

test('an array that lost an event is checked with a pasted body', async (t) => {
  const { page, secret, sent, deleteLast, show, checkAccessibility, complaints } = await batchPage(t);
  await deleteLast();
  await show();
  await button(page, 'Copy as curl').click();
  await page.getByText('Not copied: an event of this request is no longer stored as it was sent.').waitFor();
  await button(page, 'Check a signature').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(secretField).fill(secret);
  await dialogButton(page, 'Check').click();
  await dialog.locator('textarea:invalid').waitFor();
  await dialog.getByLabel(bodyField).fill(sent);
  await dialogButton(page, 'Check').click();
  await dialog.getByText('The body is the one that was signed.').waitFor();
  await checkAccessibility();
  t.deepEqual(complaints, []);
});
