import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readWebhookSecret } from '../../../../db/webhooks/secrets.ts';
import { startReceiver } from '../../../../simulator/receiver/receiver.ts';
import { aLedgerDelivery, aWebhook } from '../../../harness/deliveries/ledger.ts';
import { aSentAttempt } from '../../../harness/deliveries/sent-attempts.ts';
import { aChannel, testSecretBox } from '../../../harness/tenants.ts';
import { button } from '../dashboard-page.ts';
import { browserTest as test, dashboardSite } from '../dashboard-site.ts';

const body = `{"text":"it's 100 %\\n é"}\n`;

test('the copied curl command repeats the signed request of an attempt', async (t) => {
  const site = await dashboardSite(t);
  const { db, page, context, tenant, signIn, checkAccessibility, complaints } = site;
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
  const { id, publicId } = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', body });
  await aSentAttempt(db, { deliveryId: id, secret, body, url: webhook.url, own: { 'x-api-key': 'not recorded' } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(
    tenant.user.email,
    `/app/${tenant.organization.publicId}/${tenant.workspace.publicId}/deliveries/${publicId}`,
  );

  const panel = page.locator('section').filter({ hasText: 'Request of attempt 1' });
  await panel.getByText(webhook.url).waitFor();
  await panel.getByText('The destination has another URL now: https://receiver.example.com/hook').waitFor();
  await panel.getByText('HEADER_X_API_KEY').waitFor();
  await panel.getByText('headers', { exact: false }).first().click();
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
