import test from 'ava';
import { aLedgerDelivery, aWebhook } from '../harness/deliveries/ledger.ts';
import { cliStage } from './api-stage.ts';

test('open prints the address of a page without a terminal', async (t) => {
  const { cli, ch, ws, org, url } = await cliStage(t);
  const printed = async (line: string) => (await cli.run(line)).stdout;
  t.is(await printed(`open ${ch}`), `${url}/app/${org}/${ws}/channels/${ch}\n`);
  t.is(await printed('open wd_00000000'), `${url}/app/${org}/${ws}/deliveries/wd_00000000\n`);
  t.is(await printed('open rpl_00000000'), `${url}/app/${org}/replays/rpl_00000000\n`);
  t.is(await printed('open guides'), `${url}/guides\n`);
  t.deepEqual(await cli.json('open reference'), { url: `${url}/docs` });
  t.regex(await cli.fails(2, 'open ../../etc'), /There is no page for/);
  t.regex(await cli.fails(2, `open ${ch} --workflow`), /TEMPORAL_UI_URL/);
});

test('open starts a browser from a terminal', async (t) => {
  const { cli, ch, url } = await cliStage(t);
  const opened: string[] = [];
  const terminal = { columns: 200 };
  const openBrowser = (page: string) => Promise.resolve(void opened.push(page));
  const env = { DISPLAY: ':0' };
  t.is((await cli.run('open guides', { terminal, openBrowser, env })).stdout, '');
  t.deepEqual(opened, [`${url}/guides`]);
  t.is((await cli.run('open guides --print', { terminal, openBrowser, env })).stdout, `${url}/guides\n`);
  const failing = () => Promise.reject(new Error('ENOENT'));
  const failed = await cli.run(`open ${ch}`, { terminal, openBrowser: failing, env });
  t.is(failed.code, 0);
  t.regex(failed.stdout, new RegExp(`/channels/${ch}\n$`));
  t.is(opened.length, 1);
});

test('a workflow is found through the address of the Temporal UI', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  const delivery = await aLedgerDelivery(db, channel, { destinationId: await aWebhook(db, channel) });
  const env = { TEMPORAL_UI_URL: 'http://temporal.example.com/' };
  t.regex(await cli.fails(1, `open ${delivery.publicId} --workflow`, { env }), /has no workflow/);
  const { stdout } = await cli.run(`open ${ch} --workflow`, { env });
  t.is(
    stdout,
    `http://temporal.example.com/namespaces/default/workflows?query=${encodeURIComponent(`ServiceChannelId="${ch}"`)}\n`,
  );
});

test('records link to the dashboard, clickable where the terminal allows', async (t) => {
  const { cli, ch, ws, org, url } = await cliStage(t);
  const page = `${url}/app/${org}/${ws}/channels/${ch}`;
  const linked = await cli.run(`show ${ch}`, { terminal: { columns: 200 }, hasHyperlinks: true });
  t.true(linked.stdout.includes(`\u001b]8;;${page}\u001b\\${page}\u001b]8;;\u001b\\`));
  const plain = await cli.run(`show ${ch}`, { terminal: { columns: 200 } });
  t.true(plain.stdout.includes(page));
  t.false(plain.stdout.includes('\u001b]8'));
});
