import { linkedPhotoField } from '../../platform/client/oauth-vocabulary.ts';
import test from 'ava';
import { demo, other, refusal, simulated } from './client.ts';

const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

test('every object names the account or Page that owns it', async (t) => {
  const { get } = await simulated(t);
  for (const each of [demo, other]) {
    const owner = async (id: string, fields: string) => (await get(id, { fields })).body;
    t.is((await owner(each.photoId, 'username')).id, each.photoId);
    t.is((await owner(each.mediaId(1), 'owner')).owner.id, each.photoId);
    t.is((await owner(each.photoCommentId(2), 'media{owner}')).media.owner.id, each.photoId);
    t.like(await owner(each.pageId, `name,${linkedPhotoField}`), {
      id: each.pageId,
      [linkedPhotoField]: { id: each.photoId },
    });
    t.is((await owner(each.postId(1), 'from{id}')).from.id, each.pageId);
    t.is((await owner(each.pageCommentId(1), 'object{from}')).object.from.id, each.pageId);
    const parties = await owner(each.pageThread(1), 'participants');
    t.is(parties.participants.data[1].id, each.pageId);
    const photoParties = await owner(each.photoThread(1), 'participants{id}');
    t.deepEqual(photoParties.participants.data, [{ id: each.personId(1) }, { id: each.photoId }]);
  }
});

test('an object has its id and the default or requested fields', async (t) => {
  const { get } = await simulated(t);
  const keys = async (id: string, query?: Record<string, string>) => Object.keys((await get(id, query)).body);
  t.deepEqual(await keys(demo.mediaId(1)), ['id']);
  t.deepEqual(await keys(demo.photoCommentId(1)), ['id', 'text', 'timestamp']);
  t.deepEqual(await keys(demo.pageId), ['name', 'id']);
  t.deepEqual(await keys(demo.postId(1)), ['created_time', 'message', 'id']);
  t.deepEqual(await keys(demo.pageCommentId(1)), ['created_time', 'from', 'message', 'id']);
  t.deepEqual(await keys(demo.pageThread(1)), ['id', 'updated_time']);
  t.deepEqual(await keys(demo.mediaId(1), { fields: 'caption, media_type' }), ['caption', 'media_type', 'id']);
});

test('a media object, a comment and a post show their contents', async (t) => {
  const { get } = await simulated(t);
  const media = (
    await get(demo.mediaId(1), {
      fields: 'caption,username,media_type,media_product_type,media_url,permalink,timestamp,comments_count',
    })
  ).body;
  t.like(media, {
    caption: 'Fresh bread today',
    username: 'demo.photos',
    media_type: 'IMAGE',
    media_product_type: 'FEED',
    comments_count: 4,
  });
  const fields = 'id,text,username,from{id,username},hidden,parent_id,media{id},replies{id,text}';
  t.deepEqual((await get(demo.photoCommentId(1), { fields })).body.replies.data, [
    { id: demo.photoCommentId(2), text: 'At seven' },
  ]);
  t.like((await get(demo.photoCommentId(2), { fields })).body, {
    parent_id: demo.photoCommentId(1),
    media: { id: demo.mediaId(1) },
    from: { id: demo.photoId, username: 'demo.photos' },
    hidden: false,
  });
  const post = (await get(demo.postId(3), { fields: 'message,permalink_url,status_type' })).body;
  t.like(post, { message: 'The new oven', status_type: 'added_photos' });
});

test('an account and a Page show their names', async (t) => {
  const { get } = await simulated(t);
  const photo = await get(demo.photoId, { fields: 'id,username,name,followers_count,media_count,profile_picture_url' });
  t.like(photo.body, { username: 'demo.photos', followers_count: 1_200, media_count: 3 });
  const page = await get(demo.pageId, { fields: 'name,category,followers_count,link,picture{url}' });
  t.like(page.body, { name: 'Demo Page', category: 'Local business', followers_count: 1_200 });
  t.deepEqual(Object.keys(page.body.picture.data), ['url']);
});

test('a Page comment is found by its id or last number', async (t) => {
  const { get } = await simulated(t);
  const [, bare = ''] = demo.pageCommentId(2).split('_');
  const fields = 'message,parent{id},is_hidden';
  const whole = (await get(demo.pageCommentId(2), { fields })).body;
  t.like(whole, { message: 'From seven', parent: { id: demo.pageCommentId(1) }, is_hidden: false });
  t.deepEqual((await get(bare, { fields })).body, whole);
});

test('unknown objects and fields are refused with code 100', async (t) => {
  const { get, remove } = await simulated(t);
  t.deepEqual(refusal(await get('999')), [400, 100, 33]);
  t.deepEqual(refusal(await get('999_1/comments')), [400, 100, 33]);
  t.deepEqual(refusal(await remove('t_1')), [400, 100, 33]);
  const unknown = await get(demo.mediaId(1), { fields: 'id,secret' });
  t.deepEqual(refusal(unknown), [400, 100, undefined]);
  t.regex(unknown.body.error.message, /nonexisting field \(secret\)/);
  for (const fields of ['from{', 'a,,b', '{id}', 'id}', 'owner{id}x']) {
    t.is(refusal(await get(demo.mediaId(1), { fields }))[1], 100, fields);
  }
});

test('lists are paged, and next carries host, fields and token', async (t) => {
  const { get, call, url } = await simulated(t);
  const first = await get(`${demo.pageId}/posts`, { limit: '2', fields: 'message' });
  t.deepEqual(ids(first), [demo.postId(3), demo.postId(2)]);
  const next = new URL(first.body.paging.next);
  t.is(next.origin, url);
  t.is(next.searchParams.get('access_token'), 'token');
  const second = await call('GET', next.href, { headers: { authorization: '' } });
  t.deepEqual(second.body.data, [{ message: 'We are open on Sunday', id: demo.postId(1) }]);
  t.is(second.body.paging.next, undefined);
  t.deepEqual(ids(await call('GET', second.body.paging.previous)), ids(first));
  const { after } = first.body.paging.cursors;
  t.deepEqual(ids(await get(`${demo.pageId}/feed`, { limit: '2', after })), [demo.postId(1)]);
  t.deepEqual(refusal(await get(`${demo.pageId}/posts`, { after: 'wrong' })), [400, 100, undefined]);
  t.deepEqual(refusal(await get(`${demo.pageId}/posts`, { limit: 'x' })), [400, 100, undefined]);
});

test('comments are filtered and limited on request', async (t) => {
  const { get } = await simulated(t);
  const list = async (query: Record<string, string>) => ids(await get(`${demo.postId(1)}/comments`, query));
  t.deepEqual(await list({}), [1, 3, 4].map(demo.pageCommentId));
  t.deepEqual(await list({ filter: 'stream' }), [1, 2, 3, 4].map(demo.pageCommentId));
  const nested = (await get(demo.postId(1), { fields: 'comments.limit(1){message}' })).body;
  t.deepEqual(nested.comments.data, [{ message: 'From what time?', id: demo.pageCommentId(1) }]);
  t.true(nested.comments.paging.next.includes('access_token=token'));
  t.deepEqual(ids(await get(`${demo.mediaId(1)}/comments`)), [4, 3, 1].map(demo.photoCommentId));
  t.deepEqual(ids(await get(`${demo.photoCommentId(1)}/replies`)), [demo.photoCommentId(2)]);
  t.deepEqual((await get(`${demo.mediaId(3)}/comments`)).body, { data: [] });
});

test('conversations are filtered by platform and listed newest first', async (t) => {
  const { get } = await simulated(t);
  const fields = 'participants,updated_time,unread_count,snippet';
  const page = await get(`${demo.pageId}/conversations`, { platform: 'messenger', fields });
  t.like(page.body.data, [
    { id: demo.pageThread(1), snippet: 'Thank you', unread_count: 0 },
    { id: demo.pageThread(2), unread_count: 1, participants: { data: [{ name: 'João Silva' }, { id: demo.pageId }] } },
  ]);
  const photo = ids(await get(`${demo.photoId}/conversations`, { platform: 'instagram' }));
  t.deepEqual(photo, [1, 2].map(demo.photoThread));
  t.deepEqual(ids(await get(`${demo.pageId}/conversations`, { platform: 'instagram' })), photo);
  t.deepEqual(ids(await get(`${demo.photoId}/conversations`, { user_id: demo.personId(2) })), [demo.photoThread(2)]);
  t.is(refusal(await get(`${demo.photoId}/conversations`, { platform: 'messenger' }))[1], 100);
  t.is(refusal(await get(`${demo.pageId}/conversations`, { platform: 'fax' }))[1], 100);

  const { messages } = (await get(demo.photoThread(1), { fields: 'messages{id,message,from,to,created_time}' })).body;
  t.like(messages.data, [
    { message: 'Thank you', from: { username: 'kerry.fisher' } },
    { message: 'Yes, every morning', from: { username: 'demo.photos', id: demo.photoId } },
    { message: 'Hello, do you have rye bread?' },
  ]);
  t.like((await get(messages.data[1].id, { fields: 'message,to' })).body, {
    message: 'Yes, every morning',
    to: { data: [{ username: 'kerry.fisher' }] },
  });
  t.is((await get(`${demo.pageThread(1)}/messages`)).body.data.length, 3);
});

test('media that tag or mention the account are found without owner', async (t) => {
  const { get } = await simulated(t);
  const tags = await get(`${demo.photoId}/tags`, { fields: 'id,username,caption,owner' });
  t.deepEqual(tags.body.data, [{ id: demo.taggedMediaId, username: 'town.news', caption: 'At @demo.photos' }]);
  const mentioned = (id: string) => ({ fields: `mentioned_comment.comment_id(${id}){id,text,media{id}}` });
  t.deepEqual((await get(demo.photoId, mentioned(demo.mentioningCommentId))).body.mentioned_comment, {
    id: demo.mentioningCommentId,
    text: 'Ask @demo.photos',
    media: { id: demo.taggedMediaId },
  });
  t.is(refusal(await get(demo.photoId, mentioned(other.mentioningCommentId)))[1], 100);
  const media = { fields: `mentioned_media.media_id(${demo.taggedMediaId}){caption}` };
  t.is((await get(demo.photoId, media)).body.mentioned_media.caption, 'At @demo.photos');
});
