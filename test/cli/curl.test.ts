import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { readWebhookSecret } from '../../db/webhooks/secrets.ts';
import { startReceiver } from '../../simulator/receiver/receiver.ts';
import { aLedgerDelivery, aWebhook } from '../harness/deliveries/ledger.ts';
import { aSentAttempt } from '../harness/deliveries/sent-attempts.ts';
import { testSecretBox } from '../harness/tenants.ts';
import { cliStage } from './api-stage.ts';

const body = `{"text":"it's 100 % $HOME \\\\n é \`id\` [1]{a,b}"}\n`;

test.serial('the curl command of an attempt sends the signed request again', async (t) => {
  const { cli, channel, db } = await cliStage(t);
  const receiver = await startReceiver({ port: 0 });
  t.teardown(() => receiver.stop());
  const webhook = receiver.webhook('old');
  const { secret } = await readWebhookSecret(db, testSecretBox, {
    channelId: channel.id,
    channelPublicId: channel.publicId,
  });
  webhook.set({ secret });
  const destinationId = await aWebhook(db, channel);
  const { id, publicId } = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', body });
  const sent = { deliveryId: id, secret, body };
  await aSentAttempt(db, { ...sent, url: `${webhook.url}?a=[1]&b=$2`, own: { 'x-api-key': 'not recorded' } });
  await aSentAttempt(db, { ...sent, url: 'https://receiver.example.com/new', number: 2 });

  const { code, stdout, stderr } = await cli.run(`deliveries curl ${publicId} --attempt 1`);
  t.is(code, 0, stderr);
  t.regex(stderr, /Set HEADER_X_API_KEY/);
  await t.throwsAsync(promisify(execFile)('sh', ['-c', `set -e; ${stdout}`]), { message: /HEADER_X_API_KEY/ });
  const { stdout: answer } = await promisify(execFile)('sh', ['-c', stdout], {
    env: { ...process.env, HEADER_X_API_KEY: 'k1' },
  });

  t.regex(answer, /^HTTP\/1.1 200 /);
  const [received, ...others] = webhook.deliveries();
  t.deepEqual(others, []);
  t.like(received, { signatureValid: true, standardSignatureValid: true });
  t.is(received!.headers['x-api-key'], 'k1');
  t.is(Buffer.from(received!.bodyBase64!, 'base64').toString(), body);
  const shown = await cli.json(`deliveries curl ${publicId}`);
  t.like(shown, { attempt: 2, url: 'https://receiver.example.com/new' });
  t.true(shown.command.includes("printf %s '"));
  t.regex(
    await cli.fails(1, `deliveries curl ${publicId} --attempt 3`),
    /No request of attempt 3 of wd_\w+ is recorded/,
  );
  t.regex(await cli.fails(1, `deliveries curl ${publicId} --test-of ch_00000000`), /CHANNEL_NOT_FOUND/);
});
