import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { ChannelType } from '../../../contract/event-types.ts';
import { seededIds } from '../../../simulator/content/seed.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { testCli } from '../cli-run.ts';

const ids = seededIds('011');

async function contentStage(t: ExecutionContext, type: ChannelType) {
  const stage = await platformStage(t, type);
  const cli = await testCli(t, { BASE_URL: stage.url, SERVICE_API_KEY: stage.apiKey });
  return { platform: stage.platform, ch: stage.channel.publicId, ...cli };
}

test('photoapp commands read, reply and moderate', async (t) => {
  const { json, run, fails, ch } = await contentStage(t, 'photoapp');
  t.truthy((await json(`photoapp account ${ch} --quota`)).quota);
  t.regex((await run(`photoapp account ${ch}`)).stdout, /Username +harbour\.books/);
  t.is((await json(`photoapp media ${ch}`)).media.length, 3);
  t.is((await json(`photoapp media ${ch} --source stories --limit 1`)).media.length, 1);
  t.regex((await run(`photoapp media ${ch} --media ${ids.mediaId(3)}`)).stdout, /Four seasons/);
  const { comments } = await json(`photoapp comments ${ch} --media ${ids.mediaId(1)} --all`);
  t.true(comments.length > 1);
  t.regex(await fails(2, `photoapp comments ${ch}`), /either --media or --comment/);
  t.true((await json(`photoapp conversations ${ch}`)).conversations.length > 0);
  t.regex((await run(`photoapp conversations ${ch} --with ${ids.personId(2)}`)).stdout, /CONVERSATION/);
  t.is((await json(`photoapp mentions ${ch}`)).mentions[0].media.id, ids.taggedMediaId);
  t.regex(
    (await run(`photoapp insights ${ch} --metrics reach --period day --metric-type time_series`)).stdout,
    /METRIC +PERIOD[^]*reach/,
  );
  const comment = ids.photoCommentId(1);
  t.truthy((await json(`photoapp reply ${ch} ${comment} --text 'Thank you'`)).replyId);
  t.true((await json(`photoapp moderate-comment ${ch} ${comment} hide`)).ok);
  t.true((await json(`photoapp moderate-media ${ch} ${ids.mediaId(1)} disable_comments`)).ok);
  t.regex(await fails(2, `photoapp moderate-comment ${ch} ${comment} burn`), /hide, unhide, delete/);
  t.regex(await fails(2, `containers create ${ch} --type IMAGE`), /VALIDATION_ERROR/);
  t.regex(await fails(6, `pageapp page ${ch}`), /CHANNEL_TYPE_MISMATCH/);
});

test('pageapp commands read, publish, reply and moderate', async (t) => {
  const { json, run, fails, ch } = await contentStage(t, 'pageapp');
  t.is((await json(`pageapp page ${ch}`)).name, 'Harbour Books');
  t.true((await json(`pageapp posts ${ch} --all`)).posts.length > 2);
  t.regex((await run(`pageapp comments ${ch} --post ${ids.postId(1)}`)).stdout, /COMMENT/);
  t.is((await json(`pageapp conversations ${ch} --conversation ${ids.pageThread(1)}`)).conversations.length, 1);
  t.true((await json(`pageapp insights ${ch} --metrics page_fans,nonsense_metric`)).unavailable.length > 0);
  t.regex((await run(`pageapp insights ${ch} --post ${ids.postId(1)}`)).stdout, /METRIC/);
  const publish = `pageapp publish ${ch} --kind text --message 'Open again' --idempotency-key a`;
  const { postId } = await json(publish);
  t.is((await json(publish)).postId, postId);
  t.regex(await fails(2, `pageapp publish ${ch} --kind link`), /VALIDATION_ERROR/);
  t.regex(await fails(2, `pageapp publish ${ch}`), /--kind/);
  t.is((await json(`pageapp reel ${ch} --video-url https://media.example.com/1.mp4`)).kind, 'reel');
  t.true((await json(`pageapp delete-post ${ch} ${postId} --yes`)).deleted);
  const comment: string = (await json(`pageapp comments ${ch} --post ${ids.postId(1)}`)).comments[0].id;
  t.truthy((await json(`pageapp reply ${ch} ${comment} --message 'Thank you'`)).replyId);
  t.true((await json(`pageapp moderate-comment ${ch} ${comment} hide`)).ok);
  t.true((await json(`messages typing ${ch} --to ${ids.personId(1)}`)).typing);
});

test('a number is registered with its PIN', async (t) => {
  const { json, fails, ch, platform } = await contentStage(t, 'chatapp');
  platform.consent({ numberFacts: { '100000000000011': { status: 'PENDING', pin: '271828' } } });
  t.regex(await fails(2, `chatapp register ${ch} --pin 000000`), /PIN is wrong/);
  t.true((await json(`chatapp register ${ch} --pin 271828`)).registered);
});

test('message commands send and read; media is uploaded and downloaded', async (t) => {
  const { json, run, fails, ch, platform, configFolder } = await contentStage(t, 'chatapp');
  const sent = await json(`messages send ${ch} --to 15551230000 --text Hello --idempotency-key a`);
  t.truthy(sent.messageId);
  await json(`messages send ${ch} --to 15551230000 --text -`, { stdin: 'From a pipe\n' });
  const native = JSON.stringify({ to: '15551230000', type: 'text', text: { body: 'In its own words' } });
  await json(`messages send ${ch} --input -`, { stdin: native });
  t.is(platform.messaging.sent().length, 3);
  t.regex(await fails(2, `messages send ${ch} --to 15551230000`), /--to and --text, or --input/);
  const wamid = 'wamid.HBgLMTU1NTEyMzAwMDEVAgASGBQ+/=';
  t.true((await json(`messages read ${ch} ${wamid}`)).read);
  t.true((await json(`messages typing ${ch} --message ${wamid}`)).typing);
  t.true((await json(`chatapp templates ${ch} --all`)).templates.length > 0);

  const file = join(configFolder, '..', 'logo.png');
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0x0a]);
  await writeFile(file, bytes);
  const { mediaId } = await json(`chatapp upload ${ch} ${file}`);
  const copy = `${file}.copy`;
  await json(`chatapp download ${ch} ${mediaId} --output ${copy}`);
  t.deepEqual(await readFile(copy), bytes);
  t.regex(await fails(2, `chatapp download ${ch} ${mediaId}`, { terminal: {} }), /--output/);
  t.regex(await fails(2, `chatapp upload ${ch} ${copy}`), /--type/);
  t.is((await run(`chatapp download ${ch} ${mediaId}`)).code, 0);
});
