import test from 'ava';
import { seededIds } from '../../../simulator/content/seed.ts';
import { platformStage } from '../../harness/operations/platform-stage.ts';
import { aChannel } from '../../harness/tenants.ts';

const ids = seededIds('011');
const foreign = seededIds('012');
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test("an account's posts, stories, tags and media children are listed", async (t) => {
  const { ok } = await platformStage(t, 'photoapp');
  const posts = await ok('GET /photoapp/media');
  t.deepEqual(posts.media.map(({ id }: { id: string }) => id).sort(), [1, 2, 3].map(ids.mediaId));
  const [carousel] = (await ok(`GET /photoapp/media?mediaId=${ids.mediaId(3)}`)).media;
  t.like(carousel, { mediaType: 'carousel', caption: 'Four seasons' });
  t.regex(carousel.createdAt, ISO);
  t.deepEqual((await ok('GET /photoapp/media?source=stories')).media.length, 1);
  t.like((await ok('GET /photoapp/media?source=tagged')).media, [{ id: ids.taggedMediaId, username: 'town.news' }]);
});

test("a list is paged by a cursor that hides the platform's", async (t) => {
  const { ok, expectRefusal } = await platformStage(t, 'photoapp');
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page = await ok(`GET /photoapp/comments?mediaId=${ids.mediaId(1)}&limit=1${next}`);
    seen.push(...page.comments.map(({ id }: { id: string }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  t.deepEqual(seen.sort(), [1, 3, 4].map(ids.photoCommentId));
  await expectRefusal('VALIDATION_ERROR', `GET /photoapp/comments?mediaId=${ids.mediaId(1)}&cursor=abc`);
});

test('comments have their author, time and state, and replies their parent', async (t) => {
  const { ok, expectRefusal } = await platformStage(t, 'photoapp');
  const { comments } = await ok(`GET /photoapp/comments?mediaId=${ids.mediaId(1)}`);
  const spam = comments.find(({ id }: { id: string }) => id === ids.photoCommentId(3));
  t.like(spam, {
    text: 'Buy followers here',
    username: 'spam',
    isHidden: true,
    fromId: ids.personId(2),
    parentId: null,
  });
  t.regex(spam.createdAt, ISO);
  const replies = await ok(`GET /photoapp/comments?commentId=${ids.photoCommentId(1)}`);
  t.like(replies.comments, [{ id: ids.photoCommentId(2), parentId: ids.photoCommentId(1) }]);
  await expectRefusal('VALIDATION_ERROR', 'GET /photoapp/comments');
  await expectRefusal('VALIDATION_ERROR', 'GET /photoapp/comments?mediaId=me');
});

test('missing insights are unavailable without hiding the others', async (t) => {
  const { ok, platform } = await platformStage(t, 'photoapp');
  platform.content.control({
    insights: [
      { metric: 'views', missing: 'empty' },
      { metric: 'reach', value: 0 },
    ],
  });
  const insights = await ok('GET /photoapp/insights?metrics=reach,views,impressions,total_interactions');
  t.like(insights, { target: 'account', targetId: ids.photoId, unavailable: ['views', 'impressions'] });
  t.deepEqual(
    insights.metrics.map(({ name, values }: { name: string; values: { value: unknown }[] }) => [name, values.length]),
    [
      ['reach', 1],
      ['total_interactions', 1],
    ],
  );
  t.deepEqual(insights.metrics[0].values, [{ value: 0, endTime: null }]);
  const few = await ok(`GET /photoapp/insights?mediaId=${ids.mediaId(4)}&metrics=reach`);
  t.deepEqual([few.target, few.metrics, few.unavailable], ['media', [], ['reach']]);
});

test('insights support time series, breakdowns and single media', async (t) => {
  const { ok } = await platformStage(t, 'photoapp');
  const days = await ok('GET /photoapp/insights?metrics=reach&metricType=time_series&period=day');
  t.true(days.metrics[0].values.length > 1);
  t.regex(days.metrics[0].values[0].endTime, ISO);
  const parts = await ok('GET /photoapp/insights?metrics=reach&breakdown=media_product_type');
  t.deepEqual(Object.keys(parts.metrics[0].breakdown[0].dimensions), ['media_product_type']);
  const media = await ok(`GET /photoapp/insights?mediaId=${ids.mediaId(1)}`);
  t.true(media.metrics.length > 3);
});

test('forbidden insights report a missing permission', async (t) => {
  const { expectRefusal, platform } = await platformStage(t, 'photoapp');
  platform.content.control({ faults: [{ at: 'insights', code: 200 }] });
  await expectRefusal('PAGEAPP_SCOPE_MISSING', 'GET /photoapp/insights');
  platform.content.control({ faults: [{ at: 'insights', code: 10 }] });
  await expectRefusal('PAGEAPP_SCOPE_MISSING', 'GET /photoapp/insights');
});

test('conversations are listed, and one is shown with its messages', async (t) => {
  const stage = await platformStage(t, 'photoapp');
  const { conversations } = await stage.ok('GET /photoapp/conversations');
  t.is(conversations.length, 2);
  t.like(conversations[0], { participantId: ids.personId(1), participantName: 'kerry.fisher', messages: null });
  t.regex(conversations[0].updatedAt, ISO);
  const [one] = (await stage.ok(`GET /photoapp/conversations?conversationId=${conversations[0].id}&limit=2`))
    .conversations;
  t.is(one.messages.length, 2);
  t.like(one.messages[0], { text: 'Thank you', fromName: 'kerry.fisher' });
  t.is((await stage.ok(`GET /photoapp/conversations?participantId=${ids.personId(2)}`)).conversations.length, 1);
});

test('mentions of the account are shown', async (t) => {
  const { ok } = await platformStage(t, 'photoapp');
  t.like((await ok('GET /photoapp/mentions')).mentions, [{ media: { id: ids.taggedMediaId }, comment: null }]);
  const ofComment = await ok(`GET /photoapp/mentions?commentId=${ids.mentioningCommentId}`);
  t.like(ofComment.mentions, [
    { comment: { id: ids.mentioningCommentId, text: 'Ask @harbour.books' }, media: { id: ids.taggedMediaId } },
  ]);
  const ofMedia = await ok(`GET /photoapp/mentions?mediaId=${ids.taggedMediaId}`);
  t.like(ofMedia.mentions, [{ media: { caption: 'At @harbour.books' }, comment: null }]);
});

test('the account is shown, on request with its quota', async (t) => {
  const { ok, calls } = await platformStage(t, 'photoapp');
  t.like(await ok('GET /photoapp/account'), { accountId: ids.photoId, username: 'harbour.books', quota: null });
  t.is(calls.length, 1);
  const { quota } = await ok('GET /photoapp/account?includePublishingLimit=true');
  t.deepEqual([quota.used, quota.durationSeconds], [0, 86_400]);
  t.true(quota.total > 0);
});

test('a comment is answered publicly, or once privately', async (t) => {
  const { ok, expectRefusal, platform, channel } = await platformStage(t, 'photoapp');
  const commentId = ids.photoCommentId(1);
  const reply = await ok(`POST /photoapp/comments/${commentId}/replies`, { text: 'At seven & on Sundays #open' });
  t.like(reply, { channelId: channel.publicId, commentId, private: false, messageId: null });
  const made = platform.content.objects('comment').find(({ id }) => id === reply.replyId);
  t.like(made, { text: 'At seven & on Sundays #open', parentId: commentId });
  const hidden = await ok(`POST /photoapp/comments/${ids.photoCommentId(4)}/replies`, {
    text: 'Thanks',
    private: true,
  });
  t.like(hidden, { private: true, replyId: null });
  t.truthy(hidden.messageId);
  const again = { text: 'Thanks', private: true };
  await expectRefusal('REPLY_ALREADY_SENT', `POST /photoapp/comments/${ids.photoCommentId(4)}/replies`, again);
});

test('comments are hidden, shown, deleted and disabled per media', async (t) => {
  const { ok, platform } = await platformStage(t, 'photoapp');
  const commentId = ids.photoCommentId(4);
  const found = () => platform.content.objects('comment').find(({ id }) => id === commentId);
  for (const [action, isHidden] of [
    ['hide', true],
    ['unhide', false],
    ['delete', undefined],
  ] as const) {
    t.like(await ok(`POST /photoapp/comments/${commentId}/moderate`, { action }), { commentId, action, ok: true });
    t.is(found()?.isHidden, isHidden);
  }
  const mediaId = ids.mediaId(1);
  await ok(`POST /photoapp/media/${mediaId}/moderate`, { action: 'disable_comments' });
  t.false(platform.content.objects('post').find(({ id }) => id === mediaId)?.isCommentEnabled);
});

test("another account's comments and media can't be changed", async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'photoapp');
  const comment = `POST /photoapp/comments/${foreign.photoCommentId(1)}`;
  await expectRefusal('PAGEAPP_SCOPE_DENIED', `${comment}/replies`, { text: 'a' });
  await expectRefusal('PAGEAPP_SCOPE_DENIED', `${comment}/replies`, { text: 'a', private: true });
  await expectRefusal('PAGEAPP_SCOPE_DENIED', `${comment}/moderate`, { action: 'delete' });
  await expectRefusal('PAGEAPP_SCOPE_DENIED', `POST /photoapp/media/${foreign.mediaId(1)}/moderate`, {
    action: 'disable_comments',
  });
  await expectRefusal('VALIDATION_ERROR', 'POST /photoapp/comments/1799/moderate', { action: 'hide' });
  t.true(calls.every(({ method }) => method === 'GET'));
});

test('routes of one product are refused on channels of another', async (t) => {
  const stage = await platformStage(t, 'photoapp');
  const page = await aChannel(stage.db, stage.workspace, { type: 'pageapp' });
  const key = stage.apiKey;
  await stage.refused('CHANNEL_TYPE_MISMATCH', `GET /channels/${page.publicId}/photoapp/media`, { key });
  await stage.expectRefusal('CHANNEL_TYPE_MISMATCH', 'GET /pageapp/page');
  await stage.expectRefusal('CHANNEL_TYPE_MISMATCH', 'GET /chatapp/templates');
  t.deepEqual(stage.calls, []);
});

test('a read retries brief platform failures but not long throttling', async (t) => {
  const { ok, call, expectRefusal, platform, calls } = await platformStage(t, 'photoapp');
  platform.content.control({ faults: [{ at: 'read', httpStatus: 503, times: 1 }] });
  await ok('GET /photoapp/account');
  t.is(calls.length, 2);
  platform.content.control({ faults: [{ at: 'read', code: 4, regainAccessMinutes: 5 }] });
  const limited = await call('GET /photoapp/account');
  t.like(limited, { status: 429, body: { code: 'PLATFORM_RATE_LIMITED' } });
  t.is(limited.headers.get('retry-after'), '300');
  t.is(calls.length, 3);
  platform.content.control({ faults: [{ at: 'read', lost: 'before' }] });
  await expectRefusal('PLATFORM_UNAVAILABLE', 'GET /photoapp/account');
  t.is(calls.length, 6);
});

test('the content of other accounts is not shown', async (t) => {
  const { expectRefusal, calls } = await platformStage(t, 'photoapp');
  for (const query of [
    `media?mediaId=${foreign.mediaId(1)}`,
    `comments?mediaId=${foreign.mediaId(1)}`,
    `comments?commentId=${foreign.photoCommentId(1)}`,
    `insights?mediaId=${foreign.mediaId(1)}`,
    `conversations?conversationId=${foreign.photoThread(1)}`,
    `conversations?conversationId=${ids.pageThread(1)}`,
  ]) {
    calls.length = 0;
    await expectRefusal('PAGEAPP_SCOPE_DENIED', `GET /photoapp/${query}`);
    t.is(calls.length, 1, 'only the recorded lookup');
  }
  for (const query of ['media?mediaId=1799', 'comments?commentId=1799', 'insights?mediaId=1799']) {
    await expectRefusal('VALIDATION_ERROR', `GET /photoapp/${query}`);
  }
  await expectRefusal('VALIDATION_ERROR', 'GET /photoapp/conversations?conversationId=t_1799');
});
