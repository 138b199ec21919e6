import test from 'ava';
import { refusal } from '../api-server.ts';
import { contentFor, demo } from './client.ts';

const videoUrl = 'https://media.example/film.mp4';
const feed = `${demo.pageId}/feed`;

test('a post is published immediately and reported in seconds', async (t) => {
  const { get, post, changes } = await contentFor(t);
  const { id } = (await post(feed, { message: 'Closed tomorrow' })).body;
  t.true(id.startsWith(`${demo.pageId}_`));
  t.is((await get(`${demo.pageId}/posts`)).body.data[0].id, id);
  t.deepEqual(changes(), [
    [
      'feed',
      {
        from: { id: demo.pageId, name: 'Demo Page' },
        message: 'Closed tomorrow',
        item: 'status',
        post_id: id,
        created_time: Date.parse('2030-01-10T12:00:00Z') / 1000,
        verb: 'add',
      },
    ],
  ]);
  const link = (await post(feed, { message: 'Our menu, again', link: 'https://menu.example/' })).body.id;
  t.is((await get(link, { fields: 'status_type' })).body.status_type, 'shared_story');
});

test('a repeated text is refused with 506 for a minute', async (t) => {
  const { post, clock } = await contentFor(t);
  t.is((await post(feed, { message: 'Hello' })).status, 200);
  t.deepEqual(refusal(await post(feed, { message: 'Hello' })), [400, 506, undefined]);
  t.is((await post(feed, { message: 'Hello!' })).status, 200);
  clock.nowMs += 60_000;
  t.is((await post(feed, { message: 'Hello' })).status, 200);
});

test('a post needs a text or a valid link', async (t) => {
  const { post } = await contentFor(t);
  t.is(refusal(await post(feed))[1], 100);
  t.is(refusal(await post(feed, { link: 'menu' }))[1], 1609005);
});

test('a post is scheduled from 10 minutes to 30 days ahead', async (t) => {
  const { get, post, clock, reported } = await contentFor(t);
  const at = (ms: number) => ({ scheduled_publish_time: String((clock.nowMs + ms) / 1000), published: 'false' });
  t.is(refusal(await post(feed, { message: 'Soon', ...at(60_000) }))[1], 100);
  t.is(refusal(await post(feed, { message: 'Soon', ...at(31 * 86_400_000) }))[1], 100);
  t.is(refusal(await post(feed, { message: 'Soon', ...at(900_000), published: 'true' }))[1], 100);
  const { id } = (await post(feed, { message: 'Soon', ...at(900_000) })).body;
  t.deepEqual(reported, []);
  const list = async (edge: string) =>
    (await get(`${demo.pageId}/${edge}`)).body.data.map((each: { id: string }) => each.id);
  t.deepEqual(await list('scheduled_posts'), [id]);
  t.false((await list('posts')).includes(id));
  t.is((await get(id, { fields: 'scheduled_publish_time' })).body.scheduled_publish_time, clock.nowMs / 1000 + 900);
  clock.nowMs += 900_000;
  t.is((await list('posts'))[0], id);
  const hidden = (await post(feed, { message: 'Never', published: 'false' })).body.id;
  t.false((await list('posts')).includes(hidden));
});

test('a photo has its own id and post', async (t) => {
  const { get, post } = await contentFor(t);
  const photo = { url: 'https://media.example/oven.jpg', message: 'Oven' };
  const { id, post_id } = (await post(`${demo.pageId}/photos`, photo)).body;
  t.like((await get(post_id, { fields: 'message,status_type,attachments' })).body, {
    message: 'Oven',
    status_type: 'added_photos',
    attachments: { data: [{ target: { id } }] },
  });
  t.is((await get(id, { fields: 'page_story_id' })).body.page_story_id, post_id);
  t.is(refusal(await post(`${demo.pageId}/photos`, { url: 'oven' }))[1], 100);
  const alone = (await post(`${demo.pageId}/photos`, { url: photo.url, published: 'false' })).body;
  t.deepEqual(Object.keys(alone), ['id']);
});

test("a video's post shares its number and appears after processing", async (t) => {
  const { get, post, clock } = await contentFor(t);
  const { id } = (await post(`${demo.pageId}/videos`, { file_url: videoUrl, description: 'Film' })).body;
  const status = async () => (await get(id, { fields: 'status' })).body.status;
  t.like(await status(), { video_status: 'processing', publishing_phase: { status: 'in_progress' } });
  t.is((await get(`${demo.pageId}/posts`)).body.data[0].id, demo.postId(3));
  clock.nowMs += 5_000;
  t.like(await status(), { video_status: 'ready', publishing_phase: { status: 'complete' } });
  t.is((await get(`${demo.pageId}/posts`)).body.data[0].id, `${demo.pageId}_${id}`);
  t.is((await get(`${demo.pageId}_${id}`)).body.message, 'Film');
  t.is(refusal(await post(`${demo.pageId}/videos`, { description: 'Film' }))[1], 100);
});

test('a reel is started, uploaded by URL and finished', async (t) => {
  const { get, post, call, clock, changes, url, control } = await contentFor(t);
  const phase = async (form: Record<string, string>) => await post(`${demo.pageId}/video_reels`, form);
  const { video_id, upload_url } = (await phase({ upload_phase: 'start' })).body;
  t.is(new URL(upload_url).origin, url);
  const finish = { upload_phase: 'finish', video_id, video_state: 'PUBLISHED', description: 'Reel' };
  t.is(refusal(await phase(finish))[1], 6000);
  t.is((await get(video_id, { fields: 'status' })).body.status.video_status, 'uploading');
  const authorization = 'OAuth token';
  t.is(refusal(await call('POST', upload_url, { headers: { authorization } }))[1], 100);
  t.is(refusal(await call('POST', upload_url, { headers: { authorization: '' } }))[1], 190);
  const uploaded = await call('POST', upload_url, { headers: { authorization, file_url: videoUrl } });
  t.deepEqual(uploaded.body, { success: true });
  const post_id = `${demo.pageId}_${video_id}`;
  t.deepEqual((await phase(finish)).body, { success: true, post_id });
  t.is(refusal(await phase(finish))[1], 100);
  clock.nowMs += 5_000;
  t.is((await get(video_id, { fields: 'status' })).body.status.video_status, 'ready');
  t.is((await get(`${demo.pageId}/posts`)).body.data[0].id, post_id);
  t.like(changes(), [['feed', { item: 'video', post_id, verb: 'add' }]]);
  t.is(refusal(await phase({ upload_phase: 'later' }))[1], 100);
  t.deepEqual(refusal(await phase({ upload_phase: 'finish', video_id: '1' })), [400, 100, 33]);

  control({ videos: { reelLimit: 1 } });
  const second = (await phase({ upload_phase: 'start' })).body;
  const bytes = { headers: { authorization, offset: '0', file_size: '4' }, body: Buffer.from('film') };
  t.deepEqual((await call('POST', second.upload_url, bytes)).body, { success: true });
  t.is(refusal(await phase({ ...finish, video_id: second.video_id }))[1], 613);
});

test('a reel may be a draft, lack its post or fail', async (t) => {
  const { get, post, call, clock, control } = await contentFor(t);
  const phase = async (form: Record<string, string>) => (await post(`${demo.pageId}/video_reels`, form)).body;
  const reel = async (video_state: string) => {
    const { video_id, upload_url } = await phase({ upload_phase: 'start' });
    await call('POST', upload_url, { headers: { authorization: 'OAuth token', file_url: videoUrl } });
    return { video_id, finished: await phase({ upload_phase: 'finish', video_id, video_state }) };
  };
  t.deepEqual((await reel('DRAFT')).finished, { success: true });
  t.is((await reel('SCHEDULED')).finished.error.code, 100);
  control({ videos: { answersPostId: false } });
  const { video_id, finished } = await reel('PUBLISHED');
  t.deepEqual(finished, { success: true });
  t.is((await get(`${demo.pageId}_${video_id}`)).status, 200);
  control({ videos: { problem: 'The video is too short' } });
  const failing = await reel('PUBLISHED');
  clock.nowMs += 5_000;
  t.like((await get(failing.video_id, { fields: 'status' })).body.status, {
    video_status: 'error',
    processing_phase: { status: 'error', errors: [{ message: 'The video is too short' }] },
    publishing_phase: { status: 'not_started' },
  });
});

test('a deleted post loses comments and video and is reported', async (t) => {
  const { get, post, remove, changes } = await contentFor(t);
  t.deepEqual((await remove(demo.postId(1))).body, { success: true });
  t.deepEqual(refusal(await get(demo.pageCommentId(1))), [400, 100, 33]);
  t.deepEqual(refusal(await remove(demo.postId(1))), [400, 100, 33]);
  const [[, value] = []] = changes();
  t.like(value, { verb: 'remove', post_id: demo.postId(1), message: undefined });
  const { id } = (await post(`${demo.pageId}/videos`, { file_url: videoUrl })).body;
  await remove(`${demo.pageId}_${id}`);
  t.deepEqual(refusal(await get(id)), [400, 100, 33]);
  const second = (await post(`${demo.pageId}/videos`, { file_url: videoUrl })).body.id;
  await remove(second);
  t.deepEqual(refusal(await get(`${demo.pageId}_${second}`)), [400, 100, 33]);
});

test("a Page's reply to a reply belongs to the top-level comment", async (t) => {
  const { get, post, changes } = await contentFor(t);
  const { id } = (await post(`${demo.pageCommentId(2)}/comments`, { message: 'Or later' })).body;
  t.true(id.startsWith(`${demo.postId(1).split('_')[1]}_`));
  t.like((await get(id, { fields: 'parent,from,message' })).body, {
    parent: { id: demo.pageCommentId(1) },
    from: { id: demo.pageId },
  });
  const comment = (await post(`${demo.postId(1)}/comments`, { message: 'See you' })).body.id;
  t.like(changes(), [
    ['feed', { item: 'comment', verb: 'add', comment_id: id, parent_id: demo.pageCommentId(1), message: 'Or later' }],
    ['feed', { comment_id: comment, parent_id: demo.postId(1), post_id: demo.postId(1) }],
  ]);
});

test('a hidden or deleted comment accepts no replies', async (t) => {
  const { post, remove } = await contentFor(t);
  const bare = demo.pageCommentId(4).split('_')[1] ?? '';
  t.is(refusal(await post(`${demo.pageCommentId(3)}/comments`, { message: 'No' }))[1], 100);
  t.deepEqual((await post(bare, { is_hidden: 'true' })).body, { success: true });
  t.is(refusal(await post(`${bare}/comments`, { message: 'No' }))[1], 100);
  await post(bare, { is_hidden: 'false' });
  t.is((await post(`${bare}/comments`, { message: 'Yes' })).status, 200);
  await remove(bare);
  t.deepEqual(refusal(await post(`${bare}/comments`, { message: 'No' })), [400, 100, 33]);
});

test('a comment is deleted by its last number only, and reported', async (t) => {
  const { remove, changes } = await contentFor(t);
  const id = demo.pageCommentId(1);
  t.deepEqual(refusal(await remove(id)), [400, 100, undefined]);
  t.deepEqual((await remove(id.split('_')[1] ?? '')).body, { success: true });
  t.like(changes(), [['feed', { verb: 'remove', comment_id: id }]]);
});

test('a story shows a photo or a video for a day', async (t) => {
  const { get, post, call, clock, changes } = await contentFor(t);
  const photo = await post(`${demo.pageId}/photos`, { url: 'https://media.example/1.jpg', published: 'false' });
  const first = await post(`${demo.pageId}/photo_stories`, { photo_id: photo.body.id });
  t.true(first.body.success);
  const started = await post(`${demo.pageId}/video_stories`, { upload_phase: 'start' });
  const finish = () =>
    post(`${demo.pageId}/video_stories`, { upload_phase: 'finish', video_id: started.body.video_id });
  t.deepEqual(refusal(await finish()), [400, 100, undefined]);
  await call('POST', started.body.upload_url, { headers: { file_url: 'https://media.example/1.mp4' } });
  const second = await finish();
  const listed = async () => (await get(`${demo.pageId}/stories`)).body.data;
  t.like(await listed(), [
    { post_id: second.body.post_id, media_type: 'video', media_id: started.body.video_id },
    { post_id: first.body.post_id, media_type: 'photo', media_id: photo.body.id },
  ]);
  t.deepEqual(changes(), []);
  t.is((await get(`${demo.pageId}/posts`)).body.data.length, 3);
  t.deepEqual(refusal(await post(`${demo.pageId}/photo_stories`, { photo_id: photo.body.id })), [400, 100, undefined]);
  clock.nowMs += 86_400_000;
  t.deepEqual(await listed(), []);
});

test("a Page's photos and videos are listed, with album and picture", async (t) => {
  const { get, post } = await contentFor(t);
  const photo = await post(`${demo.pageId}/photos`, { url: 'https://media.example/1.jpg' });
  const video = await post(`${demo.pageId}/videos`, { file_url: 'https://media.example/1.mp4' });
  const ids = async (path: string) => (await get(path)).body.data.map(({ id }: { id: string }) => id);
  t.deepEqual(await ids(`${demo.pageId}/photos`), [photo.body.id]);
  t.deepEqual(await ids(`${demo.pageId}/videos`), [video.body.id]);
  const [album] = await ids(`${demo.pageId}/albums`);
  t.deepEqual(await ids(`${album}/photos`), [photo.body.id]);
  t.is((await get(`${photo.body.id}/picture`)).body.data.url, 'https://media.example/1.jpg');
  t.is((await get(`${video.body.id}/thumbnails`)).body.data.length, 1);
  const attachments = await get(`${demo.postId(3)}/attachments`, { fields: 'media_type' });
  t.deepEqual(attachments.body, { data: [{ media_type: 'photo' }] });
  t.deepEqual((await get(`${demo.postId(1)}/attachments`)).body, { data: [] });
});

test('a like is listed until it is taken back', async (t) => {
  const { get, post, remove } = await contentFor(t);
  for (const id of [demo.postId(1), demo.pageCommentId(1), demo.photoCommentId(1)]) {
    t.deepEqual((await post(`${id}/likes`)).body, { success: true });
    t.is((await get(`${id}/likes`)).body.data.length, 1);
    t.deepEqual((await remove(`${id}/likes`)).body, { success: true });
    t.deepEqual((await get(`${id}/likes`)).body.data, []);
  }
});
