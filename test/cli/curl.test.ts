import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';
import { shellQuote } from '../../contract/deliveries/curl-command.ts';
import { readWebhookSecret } from '../../db/webhooks/secrets.ts';
import { startReceiver } from '../../simulator/receiver/receiver.ts';
import { aLedgerDelivery, aWebhook } from '../harness/deliveries/ledger.ts';
import { aSentAttempt, aSentBatch } from '../harness/deliveries/sent-attempts.ts';
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

test.serial('the curl command of an array needs all of its events', async (t) => {
  const { cli, channel, db } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  const own = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', body });
  const other = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered' });
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const url = 'https://receiver.example.com/hook';
  const sent = await aSentBatch(db, { deliveryIds: [own.id, other.id], url, secret });
  const { command } = await cli.json(`deliveries curl ${own.publicId}`);
  t.true(command.includes(shellQuote(sent)));

  await db('attempts').where({ delivery_id: other.id }).delete();
  await db('deliveries').where({ id: other.id }).delete();
  t.regex(await cli.fails(1, `deliveries curl ${own.publicId}`), /An event of this request is no longer stored/);
});

test.serial('verify-signature compares what a receiver has with what was sent', async (t) => {
  const { cli, channel, db } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  const { id, publicId } = await aLedgerDelivery(db, channel, { destinationId, status: 'delivered', body });
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await aSentAttempt(db, { deliveryId: id, secret, body, url: 'https://receiver.example.com/hook' });
  const check = async (stdin: string, given = secret, more = '') => {
    const options = { stdin, env: { WEBHOOK_HMAC_SECRET: given }, now: () => Date.now() + 3_600_000 };
    return await cli.run(`verify-signature --delivery ${publicId} --json${more}`, options);
  };
  const causesOf = (stdout: string) => JSON.parse(stdout).findings.map(({ cause }: { cause: string }) => cause);

  const right = await check(body);
  t.is(right.code, 0, right.stderr);
  t.deepEqual(causesOf(right.stdout), ['secret_matches', 'body_matches']);
  const changed = await check(JSON.stringify(JSON.parse(body), null, 2));
  t.is(changed.code, 1);
  t.deepEqual(causesOf(changed.stdout), ['secret_matches', 'body_rewritten']);
  t.deepEqual(causesOf((await check(body, `whsec_${Buffer.alloc(32).toString('base64')}`)).stdout), ['secret_wrong']);
  t.regex((await check(body, secret, ' --attempt 2')).stderr, /No request of attempt 2/);
});
