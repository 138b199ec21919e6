import test from 'ava';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { testCli } from '../cli-run.ts';

test('a message is scheduled, listed, changed and cancelled', async (t) => {
  const stage = await platformStage(t, 'chatapp');
  const { json, run, fails } = await testCli(t, { BASE_URL: stage.url, SERVICE_API_KEY: stage.apiKey });
  const ch = stage.channel.publicId;
  const send = ['messages', 'send', ch, '--to', '15551230001', '--text', 'See you', '--send-at'];
  const { scheduledMessageId: sm, sendAt } = await json([...send, '2h']);
  t.true(new Date(sendAt).getTime() > Date.now());
  t.regex((await run([...send, '2h'])).stdout, /Status +scheduled/);
  t.regex(
    (await run(`messages scheduled list ${ch} --status scheduled`)).stdout,
    /SEND AT[\s\S]*scheduled +15551230001/,
  );
  t.like(await json(`messages scheduled show ${ch} ${sm}`), { message: { to: '15551230001', text: 'See you' } });

  const later = await json(`messages scheduled change ${ch} ${sm} --send-at 7d`);
  t.true(later.sendAt > sendAt);
  const changed = await json(['messages', 'scheduled', 'change', ch, sm, '--to', '15551230002', '--text', 'New']);
  t.like(changed, { recipient: '15551230002', sendAt: later.sendAt });
  t.regex(await fails(2, `messages scheduled change ${ch} ${sm}`), /Nothing to change. Use --send-at/);
  t.regex(
    await fails(2, `messages scheduled change ${ch} ${sm} --send-at soon`),
    /Use 30m, 2h|VALIDATION_ERROR|Invalid time/,
  );

  t.regex((await run(`messages scheduled cancel ${ch} ${sm} --yes`)).stdout, new RegExp(`${sm} is cancelled`));
  t.like(await json(`messages scheduled show ${ch} ${sm}`), { status: 'cancelled', message: null });
  t.regex(await fails(6, `messages scheduled change ${ch} ${sm} --send-at 1h`), /MESSAGE_NOT_SCHEDULED/);
  t.regex(await fails(1, `messages scheduled show ${ch} sm_00000000`), /messages scheduled list/);
});

test('a post is scheduled, listed, changed and cancelled', async (t) => {
  const stage = await platformStage(t, 'photoapp');
  const { json, run, fails } = await testCli(t, { BASE_URL: stage.url, SERVICE_API_KEY: stage.apiKey });
  const ch = stage.channel.publicId;
  const create = `containers create ${ch} --type IMAGE --image-url https://media.example.com/1.jpg --publish-at 2h`;
  const { scheduledPostId: sp, publishAt } = await json(create);
  t.regex(await fails(2, `${create} --wait`), /cannot be combined with --wait/);
  t.regex((await run(`containers scheduled list ${ch} --status scheduled`)).stdout, /PUBLISH AT[\s\S]*scheduled/);
  t.regex((await run(`containers scheduled show ${ch} ${sp}`)).stdout, /Status +scheduled/);
  t.true((await json(`containers scheduled change ${ch} ${sp} --publish-at 7d`)).publishAt > publishAt);
  t.regex(await fails(2, `containers scheduled change ${ch} ${sp}`), /Use --publish-at or --input/);
  t.regex((await run(`containers scheduled cancel ${ch} ${sp} --yes`)).stdout, new RegExp(`${sp} is cancelled`));
  t.like(await json(`containers scheduled show ${ch} ${sp}`), { status: 'cancelled', container: null });
  t.regex(await fails(6, `containers scheduled change ${ch} ${sp} --publish-at 1h`), /POST_NOT_SCHEDULED/);
  t.regex(await fails(1, `containers scheduled show ${ch} sp_00000000`), /containers scheduled list/);
});

test('trial parameters of a reel are combined', async (t) => {
  const stage = await platformStage(t, 'photoapp');
  const { json, fails } = await testCli(t, { BASE_URL: stage.url, SERVICE_API_KEY: stage.apiKey });
  const ch = stage.channel.publicId;
  const video = ['--video-url', 'https://media.example.com/1.mp4', '--publish-at', '2h'];
  const create = ['containers', 'create', ch, '--type', 'REELS', ...video, '--trial', 'manual', '--trial-params'];
  const { scheduledPostId: sp } = await json([...create, '{"audience": "all"}']);
  const { container } = await json(`containers scheduled show ${ch} ${sp}`);
  t.deepEqual(container.trialParams, { audience: 'all', graduationStrategy: 'manual' });
  for (const text of ['[]', 'x', '1'])
    t.regex(await fails(2, [...create, text]), /--trial-params is not a JSON object/);
});
