import test from 'ava';
import { seededIds } from '../../../simulator/content/seed.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';

const ids = seededIds('011');
const foreign = seededIds('012');
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const videoUrl = 'https://media.example/film.mp4';

test("a Page's posts and their comments with replies are listed", async (t) => {
  const { ok } = await platformStage(t, 'pageapp');
  const { posts, nextCursor } = await ok('GET /pageapp/posts?limit=2');
  t.like(posts, [
    { id: ids.postId(3), type: 'photo', message: 'The new oven' },
    { id: ids.postId(2), type: 'link' },
  ]);
  t.regex(posts[0].createdAt, ISO);
  t.like((await ok(`GET /pageapp/posts?limit=2&cursor=${nextCursor}`)).posts, [{ id: ids.postId(1), type: 'text' }]);
  const { comments } = await ok(`GET /pageapp/comments?postId=${ids.postId(1)}`);
  t.is(comments.length, 4);
  t.like(comments[1], { id: ids.pageCommentId(2), fromId: ids.pageId, parentId: ids.pageCommentId(1) });
  t.like(comments[2], { fromName: 'Spam', isHidden: true, parentId: null });
});

test('the Page and its conversations are shown', async (t) => {
  const { ok } = await platformStage(t, 'pageapp');
  t.like(await ok('GET /pageapp/page'), { pageId: ids.pageId, name: 'Harbour Books' });
  const { conversations } = await ok('GET /pageapp/conversations');
  t.like(conversations[1], { participantName: 'João Silva', unreadCount: 1, snippet: 'Thank you' });
  const one = await ok(`GET /pageapp/conversations?conversationId=${ids.pageThread(1)}`);
  t.is(one.conversations[0].messages.length, 3);
});

test('insights of a Page and of a post list unavailable metrics', async (t) => {
  const { ok } = await platformStage(t, 'pageapp');
  const page = await ok('GET /pageapp/insights?metrics=page_views_total,page_impressions,page_fans');
  t.like(page, { target: 'page', targetId: ids.pageId, unavailable: ['page_impressions', 'page_fans'] });
  t.regex(page.metrics[0].values[0].endTime, ISO);
  const post = await ok(`GET /pageapp/insights?postId=${ids.postId(1)}`);
  t.like(post, { target: 'post', targetId: ids.postId(1) });
  t.is(typeof post.metrics.find(({ name }: { name: string }) => name.includes('by_type')).values[0].value, 'object');
});

test('insights of a reel are read from its video', async (t) => {
  const { ok, platform } = await platformStage(t, 'pageapp');
  platform.content.control({ videos: { answersPostId: true } });
  const { postId, mediaId } = await ok('POST /pageapp/reels', { videoUrl, description: 'New' });
  for (const named of [postId, mediaId]) {
    const reel = await ok(`GET /pageapp/insights?postId=${named}`);
    t.like(reel, { target: 'reel', targetId: mediaId, unavailable: [] });
    t.is(reel.metrics.length, 7);
    const [{ name }] = reel.metrics;
    const some = await ok(`GET /pageapp/insights?postId=${named}&metrics=${name},post_clicks`);
    t.like(some, { target: 'reel', metrics: [{ name, period: 'lifetime' }], unavailable: ['post_clicks'] });
  }
  const video = await ok('POST /pageapp/posts', { kind: 'video', mediaUrl: videoUrl });
  t.like(await ok(`GET /pageapp/insights?postId=${video.postId}`), { target: 'post', targetId: video.postId });
});

test('every kind of post returns the Page and post id', async (t) => {
  const { ok, platform, channel } = await platformStage(t, 'pageapp');
  const posts = [
    [{ kind: 'text', message: 'Hello & #welcome = 100%' }, false],
    [{ kind: 'link', link: 'https://menu.example/?a=b&c=d', message: 'Menu' }, false],
    [{ kind: 'photo', mediaUrl: 'https://media.example/photo.jpg', message: 'Look' }, true],
    [{ kind: 'video', mediaUrl: videoUrl, description: 'A film' }, true],
  ] as const;
  for (const [post, hasMedia] of posts) {
    const published = await ok('POST /pageapp/posts', post);
    t.like(published, { channelId: channel.publicId, kind: post.kind });
    t.true(published.postId.startsWith(`${ids.pageId}_`), published.postId);
    t.is(published.mediaId !== null, hasMedia);
  }
  t.true(platform.content.objects('post').some(({ text }) => text === 'Hello & #welcome = 100%'));
});

test("a video's post id is read from its post", async (t) => {
  const { ok } = await platformStage(t, 'pageapp');
  const { postId, mediaId } = await ok('POST /pageapp/posts', { kind: 'video', mediaUrl: videoUrl });
  t.is(postId, `${ids.pageId}_${mediaId}`);
  t.like(await ok(`DELETE /pageapp/posts/${postId}`), { postId, deleted: true });
});

test("a post with another kind's fields is refused before any call", async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'pageapp');
  const posts = [
    { kind: 'text' },
    { kind: 'text', message: 'a', link: 'https://menu.example/' },
    { kind: 'link', message: 'a' },
    { kind: 'photo', mediaUrl: 'http://inner.example/' },
    { kind: 'video', mediaUrl: videoUrl, message: 'a' },
    { kind: 'reel', mediaUrl: videoUrl },
  ];
  for (const post of posts) await expectRefusal('VALIDATION_ERROR', 'POST /pageapp/posts', post);
  t.deepEqual(calls, []);
});

test('a reel is published through an unpublished upload', async (t) => {
  const { ok, platform, calls } = await platformStage(t, 'pageapp');
  for (const answersPostId of [true, false]) {
    platform.content.control({ videos: { answersPostId } });
    const reel = await ok('POST /pageapp/reels', { videoUrl, description: 'New' });
    t.like(reel, { kind: 'reel' });
    t.true(reel.postId.startsWith(`${ids.pageId}_`), reel.postId);
  }
  t.is(calls.length, 6);
  t.true(calls.every(({ path }) => !path.includes('http')));
});

test('an interrupted reel fails before its finish call and is unknown after', async (t) => {
  const { ok, expectRefusal, platform, calls } = await platformStage(t, 'pageapp');
  const key = { headers: { 'idempotency-key': 'one' } };
  for (const at of ['reel_start', 'reel_upload'] as const) {
    platform.content.control({ faults: [{ at, lost: 'after', times: 1 }] });
    t.regex(
      await expectRefusal('PLATFORM_UNAVAILABLE', 'POST /pageapp/reels', { videoUrl }, key),
      /Nothing was .*published/,
    );
  }
  t.like(await ok('POST /pageapp/reels', { videoUrl }, key), { kind: 'reel' });
  platform.content.control({ faults: [{ at: 'reel_finish', lost: 'after', times: 1 }] });
  const other = { headers: { 'idempotency-key': 'two' } };
  await expectRefusal('PLATFORM_OUTCOME_UNKNOWN', 'POST /pageapp/reels', { videoUrl }, other);
  const count = calls.length;
  await expectRefusal('PLATFORM_OUTCOME_UNKNOWN', 'POST /pageapp/reels', { videoUrl }, other);
  t.is(calls.length, count);
});

test('a publish with a lost answer is not repeated', async (t) => {
  const { expectRefusal, platform, calls } = await platformStage(t, 'pageapp');
  for (const fault of [{ lost: 'after' }, { httpStatus: 500 }, { wrongBody: true }] as const) {
    platform.content.control({ faults: [{ at: 'post', ...fault }] });
    const post = { kind: 'text', message: `After ${JSON.stringify(fault)}` };
    const message = await expectRefusal('PLATFORM_OUTCOME_UNKNOWN', 'POST /pageapp/posts', post);
    t.regex(message, /Page's posts/);
  }
  t.is(calls.length, 3);
});

test('a duplicate post is refused, and its key is free again', async (t) => {
  const { ok, expectRefusal, platform } = await platformStage(t, 'pageapp');
  const post = { kind: 'text', message: 'Open until nine' };
  const key = { headers: { 'idempotency-key': 'one' } };
  await ok('POST /pageapp/posts', post);
  t.regex(await expectRefusal('DUPLICATE_POST', 'POST /pageapp/posts', post, key), /code 506/);
  await expectRefusal('DUPLICATE_POST', 'POST /pageapp/posts', post, key);
  await ok('POST /pageapp/posts', { ...post, message: 'Open until ten' }, key);
  const texts = platform.content.objects('post').map((each) => each.text);
  t.is(texts.filter((text) => text === post.message).length, 1);
});

test('a comment is deleted by its own number, without the post id', async (t) => {
  const { ok, platform, calls } = await platformStage(t, 'pageapp');
  const commentId = ids.pageCommentId(3);
  t.like(await ok(`POST /pageapp/comments/${commentId}/moderate`, { action: 'delete' }), { commentId, ok: true });
  t.like(calls.at(-1), { method: 'DELETE', path: commentId.split('_')[1] });
  t.false(platform.content.objects('comment').some(({ id }) => id === commentId));
});

test('comments are hidden, shown and answered publicly or privately', async (t) => {
  const { ok, platform } = await platformStage(t, 'pageapp');
  const commentId = ids.pageCommentId(1);
  const found = () => platform.content.objects('comment').find(({ id }) => id === commentId);
  await ok(`POST /pageapp/comments/${commentId}/moderate`, { action: 'hide' });
  t.true(found()?.isHidden);
  await ok(`POST /pageapp/comments/${commentId}/moderate`, { action: 'unhide' });
  t.false(found()?.isHidden);
  const reply = await ok(`POST /pageapp/comments/${commentId}/replies`, { message: 'From seven' });
  t.like(reply, { commentId, private: false, messageId: null });
  t.truthy(reply.replyId);
  const hidden = await ok(`POST /pageapp/comments/${commentId}/replies`, { message: 'Hi', private: true });
  t.like(hidden, { commentId, private: true, replyId: null });
  t.truthy(hidden.messageId);
});

test("another Page's posts and comments can't be changed", async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'pageapp');
  await expectRefusal('PAGEAPP_SCOPE_DENIED', `DELETE /pageapp/posts/${foreign.postId(1)}`);
  t.deepEqual(calls, []);
  for (const id of [foreign.pageCommentId(1), foreign.pageCommentId(1).split('_')[1]]) {
    const comment = `POST /pageapp/comments/${id}`;
    await expectRefusal('PAGEAPP_SCOPE_DENIED', `${comment}/replies`, { message: 'a' });
    await expectRefusal('PAGEAPP_SCOPE_DENIED', `${comment}/replies`, { message: 'a', private: true });
    await expectRefusal('PAGEAPP_SCOPE_DENIED', `${comment}/moderate`, { action: 'delete' });
  }
  t.true(calls.every(({ method }) => method === 'GET'));
});

test("a post can't be deleted as a comment", async (t) => {
  const { expectRefusal, platform, calls } = await platformStage(t, 'pageapp');
  await expectRefusal('VALIDATION_ERROR', `POST /pageapp/comments/${ids.postId(1)}/moderate`, { action: 'delete' });
  t.true(calls.every(({ method }) => method === 'GET'));
  t.true(platform.content.objects('post').some(({ id }) => id === ids.postId(1)));
});

test('the content of other accounts is not shown', async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'pageapp');
  await expectRefusal('PAGEAPP_SCOPE_DENIED', `GET /pageapp/comments?postId=${foreign.postId(1)}`);
  await expectRefusal('PAGEAPP_SCOPE_DENIED', `GET /pageapp/insights?postId=${foreign.postId(1)}`);
  t.deepEqual(calls, []);
  for (const thread of [foreign.pageThread(1), ids.photoThread(1)]) {
    calls.length = 0;
    await expectRefusal('PAGEAPP_SCOPE_DENIED', `GET /pageapp/conversations?conversationId=${thread}`);
    t.is(calls.length, 1, 'only the recorded lookup');
  }
  for (const route of ['comments', 'insights']) {
    await expectRefusal('VALIDATION_ERROR', `GET /pageapp/${route}?postId=${ids.mediaId(1)}`);
    await expectRefusal('VALIDATION_ERROR', `GET /pageapp/${route}?postId=1799`);
  }
  await expectRefusal('VALIDATION_ERROR', 'GET /pageapp/conversations?conversationId=t_1799');
});
