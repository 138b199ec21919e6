import test from 'ava';
import { aLedgerDelivery, aWebhook } from '../harness/deliveries/ledger.ts';
import { aStaffKey } from '../harness/people/staff.ts';
import { cliStage } from './api-stage.ts';

test('staff commands search, show, count replays and list the audit', async (t) => {
  const { cli, ch, db, channel, apiKey } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  const { publicId: wd } = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted' });
  const env = { STAFF_API_KEY: (await aStaffKey(db)).token };
  const json = (words: readonly string[]) => cli.json(['staff', ...words, '--reason', 'Ticket 9'], { env });

  t.is((await json(['search', '--channel', ch])).deliveries[0].deliveryId, wd);
  t.is((await json(['show', wd])).deliveryId, wd);
  t.is((await json(['show', ch])).channelId, ch);
  t.regex((await cli.run(['staff', 'show', ch, '--reason', 'Ticket 9'], { env })).stdout, /Destination +webhook/);
  const range = ['--scope', `channel:${ch}`, '--since', '1h'];
  t.like(await json(['replays', 'create', ...range, '--dry-run']), { replayId: null, matched: 1 });
  t.deepEqual((await json(['replays', 'list', '--scope', `channel:${ch}`])).replays, []);
  t.deepEqual((await json(['unrouted', 'list'])).events, []);
  const { entries } = await json(['audit']);
  t.true(entries.every(({ reason }: { reason: string }) => reason === 'Ticket 9'));

  t.regex(await cli.fails(2, `staff show ${wd}`, { env }), /--reason/);
  t.regex(await cli.fails(4, `staff show ${wd} --reason x`), /STAFF_API_KEY/);
  await cli.fails(3, `staff show ${wd} --reason x`, { env: { STAFF_API_KEY: apiKey } });
});
