import test from 'ava';
import { aChannel } from '../harness/tenants.ts';
import { cliStage } from './api-stage.ts';

test('--jq prints what an expression selects', async (t) => {
  const { cli, ch, ws, db, workspace } = await cliStage(t);
  const other = await aChannel(db, workspace);
  const ids = await cli.run(['list', '--jq', '.channels[].id']);
  t.is(ids.stdout, `${other.publicId}\n${ch}\n`);
  t.is(ids.stderr, '');
  const object = await cli.run(['show', ch, '--json', '--jq', '{id, connected}']);
  t.is(object.stdout, `{"id":"${ch}","connected":true}\n`);
  t.is((await cli.run(['list', '--jq', '.channels[] | select(.connected | not)'])).stdout, '');
  const patterns = 'try error("x") catch ., (.channels | map(.type) | unique[]), "\\(.nextCursor)"';
  t.is((await cli.run(['list', '--jq', patterns])).stdout, 'x\nchatapp\nnull\n');
  t.is(
    (await cli.run(['api', 'GET', '/platform/channels', '--workspace', ws, '--jq', '.channels | length'])).stdout,
    '2\n',
  );
});

test('an invalid --jq expression stops the command before it acts', async (t) => {
  const { cli, ch } = await cliStage(t);
  t.regex(await cli.fails(2, ['disable', ch, '--jq', '.a |']), /^Error: Invalid --jq expression: syntax error/);
  t.true((await cli.json(`show ${ch}`)).forwardingEnabled);
  t.regex(await cli.fails(2, ['show', ch, '--jq', '.id | keys']), /^Error: The --jq expression failed: .*has no keys/);
});

test('--jq escapes control characters on a terminal', async (t) => {
  const { cli, ch, db, channel } = await cliStage(t);
  await db('channels').where({ id: channel.id }).update({ display_name: 'a\u001b[31mb' });
  const shown = await cli.run(['show', ch, '--jq', '.displayName'], { terminal: {} });
  t.is(shown.stdout, 'a\\x1b[31mb\n');
});
