import test from 'ava';
import { aDestination, aWebhook } from '../../harness/deliveries/ledger.ts';
import { aChannel } from '../../harness/tenants.ts';
import { cliStage } from '../api-stage.ts';

const RED = '\u001b[31m';
const FAILED_AT = new Date('2026-01-31T08:00:00Z');
const now = () => Date.parse('2026-01-31T11:00:00Z');

test('the list shows troubled channels in red with helpful commands', async (t) => {
  const { cli, ch, db, channel, workspace } = await cliStage(t);
  const webhook = await aWebhook(db, channel);
  const disabled = { enabled: false, disabled_reason: 'failing', failing_since: FAILED_AT, consecutive_failures: 9 };
  await db('destinations').where({ id: webhook }).update(disabled);
  const other = await aChannel(db, workspace);
  const destination_id = await aDestination(db, other);
  await db('subscriptions').insert({ public_id: 'sub_00000001', channel_id: other.id, destination_id });
  await db('destinations').where({ id: destination_id }).update({ failing_since: FAILED_AT, consecutive_failures: 1 });

  const terminal = await cli.run('list', { terminal: { columns: 120 }, now });
  t.true(terminal.stdout.includes(`${RED}disabled`));
  t.true(terminal.stdout.includes(`${RED}failing`));
  const piped = await cli.run('list', { now });
  t.regex(piped.stdout, new RegExp(`^CHANNEL.*\\n${other.publicId}.* failing .*\\n${ch}.* disabled .*\\n$`));
  t.is(piped.stderr, '');
  const { stderr } = terminal;
  t.regex(stderr, /The webhook is disabled, because it failed for days, since 2026-01-31 08:00:00 UTC/);
  t.true(stderr.includes(`channels webhook enable ${ch}`));
  t.true(stderr.includes(`channels replays create --channel ${ch} --since 2026-01-31T08:00:00Z --status skipped`));
  t.regex(stderr, /Subscription sub_00000001 has failed/);
  t.true(stderr.includes(`channels destinations ${other.publicId}`));
  const shown = await cli.run(`show ${ch}`);
  t.regex(shown.stdout, /Trouble +The webhook is disabled/);
  t.regex(shown.stdout, new RegExp(`Next step +channels webhook enable ${ch}`));
});

test('a destination whose answers are not recorded is named', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  const webhook = await aWebhook(db, channel);
  const times = { not_settling_since: FAILED_AT, not_settling_at: db.fn.now() };
  await db('destinations').where({ id: webhook }).update(times);
  t.regex((await cli.run('list')).stdout, / not settling /);
  const shown = await cli.run(`show ${ch}`);
  t.regex(
    shown.stdout,
    /The webhook: the service cannot record .* since 2026-01-31 08:00:00 UTC\. Contact its operator/,
  );
  t.regex((await cli.run(`destinations ${ch}`)).stdout, /not settling since 2026-01-31 08:00:00/);
});

test('a channel without trouble needs no explanation', async (t) => {
  const { cli, db, channel } = await cliStage(t);
  await aWebhook(db, channel);
  const { stdout, stderr } = await cli.run('list');
  t.regex(stdout, / connected /);
  t.is(stderr, '');
});

test('a webhook is enabled again only with a URL', async (t) => {
  const { cli, ch } = await cliStage(t);
  t.regex(await cli.fails(1, `webhook enable ${ch}`), /has no webhook[^]*channels webhook set/);
});

test('times are relative on terminals and absolute elsewhere', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  await db('channels').where({ id: channel.id }).update({ created_at: FAILED_AT });
  t.regex((await cli.run(`show ${ch}`, { now })).stdout, /Created +2026-01-31 08:00:00\n/);
  const { stdout } = await cli.run(`show ${ch}`, { now, terminal: { columns: 120 } });
  t.true(stdout.includes('3 h ago (2026-01-31 08:00:00 UTC)'));
});
