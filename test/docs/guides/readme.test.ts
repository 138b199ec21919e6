import test from 'ava';
import { Visitor } from '../../harness/onboarding/connect.ts';
import { until } from '../../harness/until.ts';
import { startDemoSystem } from './demo-system.ts';
import { guideShell } from './guide-shell.ts';
import { withFreePorts } from './free-ports.ts';
import { shellBlocksOf } from '../shell-blocks.ts';

test('the tour runs on a channel that was just connected', async (t) => {
  const { db, folder, apiUrls, tenants } = await startDemoSystem(t);
  const shell = await guideShell(t, { folder, env: {} });
  const blocks = shellBlocksOf('README.md').filter(({ heading }) => heading === 'Your first event');
  const [connect, set, send, , ...tour] = await withFreePorts([...blocks, ...shellBlocksOf('docs/tour.md')]);
  if (!connect || !set || !send) return t.fail('The README has three blocks');
  t.is(blocks.length, 3);

  const [link = ''] = /http:\S+\/connect\/\S+/.exec(await shell.run(connect)) ?? [];
  const [baseUrl = ''] = apiUrls;
  const done = await new Visitor(baseUrl, baseUrl).consent(link, ['100000000000011']);
  t.is(done.status, 200);
  const { public_id: channelId } = await db('channels').where({ resource_id: '100000000000011' }).first('public_id');
  t.false(
    Object.values(tenants.channels).some(({ id }) => id === channelId),
    'the reader has just connected it',
  );

  t.regex(await shell.run(set), /Both probes passed/);
  const shown = await shell.run(send);
  t.regex(shown, /chatapp\.message\.received/);
  const delivered = async () => (await db('deliveries').where({ status: 'delivered' })).length;
  await until(async () => (await delivered()) === 1, { for: 'The delivery' });

  for (const block of tour) await shell.run(block);
  t.is((await db('replays').where({ status: 'completed' })).length, 1);
  await until(async () => (await delivered()) >= 4, { for: 'Both messages, the late one and the replay' });

  const alone = await guideShell(t, { folder, env: {} });
  const [setUp] = await withFreePorts(shellBlocksOf('docs/tour.md'));
  t.regex(await alone.run(setUp!), /Both probes passed/, 'the tour needs no README');
});
