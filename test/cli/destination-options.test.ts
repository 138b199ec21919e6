import test from 'ava';
import { aWebhook } from '../harness/deliveries/ledger.ts';
import { cliStage } from './api-stage.ts';

test.serial('the options of a destination are set without secrets as arguments', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  await aWebhook(db, channel);
  const input = (stdin: string) => ({ stdin });

  const command = `destination-options ${ch}`;
  const given = await cli.json(`${command} --timeout 20 --rate 5 --concurrency 2 --retries 5,30`);
  t.like(given.destinations[0], { timeoutSeconds: 20, rate: { requestsPerSecond: 5, concurrency: 2 } });
  t.deepEqual(given.destinations[0].retrySchedule, { steps: [5, 30] });
  const headers = await cli.run(`${command} --headers-stdin --rate default`, input('X-Key: s3cret\nX-Tenant: a\n'));
  t.is(headers.stderr, '');
  t.regex(headers.stdout, /headers x-key x-tenant, time-out 20 s, 2 at a time, retries 5,30/);
  const basic = await cli.run(`${command} --auth basic --username hooks --secret-stdin`, input('s3cret\n'));
  t.regex(basic.stdout, /basic hooks/);
  t.notRegex(headers.stdout + basic.stdout, /s3cret/);
  const removed = await cli.json(`${command} --remove-header X-Key --auth none --timeout default --retries default`);
  t.like(removed.destinations[0], { headers: ['x-tenant'], timeoutSeconds: null, retrySchedule: 'default' });

  const debounced = await cli.run(`${command} --debounce 10:20`);
  t.regex(debounced.stdout, /debounce 10 s or 20 events/);
  t.is((await cli.json(`${command} --debounce 7`)).destinations[0].debounce.maxEvents, 100);
  t.is((await cli.json(`${command} --debounce off`)).destinations[0].debounce, null);
  t.regex(await cli.fails(2, `${command} --debounce soon`), /seconds such as 10/);
  t.regex(await cli.fails(2, command), /Nothing to set/);
  t.regex(await cli.fails(2, `${command} --auth bearer`), /DESTINATION_SECRET/);
  t.regex(await cli.fails(2, `${command} --retries soon`), /separated by commas/);
});
