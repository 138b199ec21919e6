import test from 'ava';
import { aLedgerDelivery, aWebhook } from '../harness/deliveries/ledger.ts';
import { aListener } from '../harness/listeners/listeners.ts';
import { loseBodyKey, unroutedEvents } from '../harness/api/unrouted.ts';
import { aStaffKey } from '../harness/people/staff.ts';
import { cliStage } from './api-stage.ts';

test('staff commands search, show, count replays and list the audit', async (t) => {
  const { cli, ch, db, channel, apiKey } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  const { publicId: wd } = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted' });
  const env = { STAFF_API_KEY: (await aStaffKey(db)).token };
  const json = (line: string) => cli.json(`staff ${line} --reason 'Ticket 9'`, { env });

  t.is((await json(`search --channel ${ch}`)).deliveries[0].deliveryId, wd);
  await db('channels').update({ display_name: 'Shop · +1 555-078-3881' });
  t.is((await json("channels --resource '+1 (555) 078 3881'")).channels[0].channelId, ch);
  t.is((await json("search --resource '+1 (555) 078 3881'")).deliveries[0].deliveryId, wd);
  t.is((await json(`show ${wd}`)).deliveryId, wd);
  t.is((await json(`show ${ch}`)).channelId, ch);
  t.regex((await cli.run(`staff show ${ch} --reason 'Ticket 9'`, { env })).stdout, /Destination +webhook/);
  t.like(await json(`replays create --scope channel:${ch} --since 1h --dry-run`), { replayId: null, matched: 1 });
  t.deepEqual((await json(`replays list --scope channel:${ch}`)).replays, []);
  t.deepEqual((await json('unrouted list')).events, []);
  const { entries } = await json('audit');
  t.true(entries.every(({ reason }: { reason: string }) => reason === 'Ticket 9'));
  const { publicId: lst } = await aListener(db, channel);
  const shown = (await cli.run(`staff show ${ch} --reason 'Ticket 9'`, { env })).stdout;
  t.regex(shown, new RegExp(`Destination +${lst}: enabled\n`));

  t.regex(await cli.fails(2, `staff show ${wd}`, { env }), /--reason/);
  t.regex(await cli.fails(4, `staff show ${wd} --reason x`), /STAFF_API_KEY/);
  await cli.fails(3, `staff show ${wd} --reason x`, { env: { STAFF_API_KEY: apiKey } });
});

test('staff commands retry and replay a delivery', async (t) => {
  const { cli, db, channel } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  const { publicId: wd } = await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted' });
  const env = { STAFF_API_KEY: (await aStaffKey(db)).token };
  const replay = `staff replay ${wd} --idempotency-key call-1 --reason 'Ticket 9'`;
  const made = await cli.json(replay, { env });
  t.not(made.deliveryId, wd);
  t.is((await cli.json(replay, { env })).deliveryId, made.deliveryId, 'a retry of the command replays nothing more');
  const { stdout } = await cli.run(`staff retry ${wd} --reason 'Ticket 9'`, { env });
  t.regex(stdout, new RegExp(wd));
  t.is((await db('deliveries').orderBy('id').first()).status, 'pending');
});

test('staff commands start and control a bulk replay', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  const destinationId = await aWebhook(db, channel);
  await aLedgerDelivery(db, channel, { destinationId, status: 'exhausted' });
  const env = { STAFF_API_KEY: (await aStaffKey(db)).token };
  const replays = (line: string) => cli.json(`staff replays ${line} --reason 'Ticket 9'`, { env });

  const options = `--scope channel:${ch} --since 1h --rate 5 --idempotency-key call-1`;
  const { replayId, matched } = await replays(`create ${options}`);
  t.is(matched, 1);
  await db('replays').update({ status: 'running', planned_at: new Date(), planned: 1 });
  t.is((await replays(`pause ${replayId}`)).status, 'paused');
  t.is((await replays(`resume ${replayId}`)).status, 'running');
  t.is((await replays(`cancel ${replayId}`)).status, 'cancelled');
  t.like(await replays(`show ${replayId}`), { scope: `channel:${ch}`, ratePerSecond: 5, status: 'cancelled' });
  const { stdout } = await cli.run(`staff replays show ${replayId} --reason 'Ticket 9'`, { env });
  t.regex(stdout, /Status +cancelled/);
  t.is((await db('replays')).length, 1);
});

test('staff send unrouted events on and continue with a cursor', async (t) => {
  const unrouted = unroutedEvents(t);
  const stage = await cliStage(t, { acceptEvents: unrouted.acceptEvents });
  const { cli, ch, db, channel } = stage;
  await aWebhook(db, channel);
  await unrouted.arrive(stage, channel, ['a', 'b', 'c']);
  const env = { STAFF_API_KEY: (await aStaffKey(db)).token };
  const send = `staff unrouted send ${ch} --reason 'Ticket 9'`;
  t.regex(await cli.fails(6, send, { env }), /disconnected/);
  await db('channels').where({ id: channel.id }).update({ disconnected_at: null });
  await loseBodyKey(db, 1);
  const { stdout } = await cli.run(`${send} --limit 2`, { env });
  const [, cursor = ''] =
    /Sent 1 events on to .+ Skipped 1 that .+ run it again with --cursor (\w+)\./.exec(stdout) ?? [];
  t.like(await cli.json(`${send} --cursor ${cursor}`, { env }), { sentCount: 1, skippedCount: 0, hasMore: false });
  t.is((await db('events')).length, 2);
});
