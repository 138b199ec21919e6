import test from 'ava';
import type { Post } from '../../../simulator/media/store.ts';
import { refusal } from '../api-server.ts';
import { contentFor, demo, other } from './client.ts';

test('a reply is signed by the account and reported as a comment', async (t) => {
  const { get, post, changes } = await contentFor(t);
  const { id } = (await post(`${demo.photoCommentId(4)}/replies`, { message: 'Thank you! 🥐' })).body;
  t.regex(id, /^\d{17}$/);
  t.deepEqual((await get(id, { fields: 'text,username,parent_id,timestamp,hidden' })).body, {
    text: 'Thank you! 🥐',
    username: 'demo.photos',
    parent_id: demo.photoCommentId(4),
    timestamp: '2030-01-10T12:00:00+0000',
    hidden: false,
    id,
  });
  t.deepEqual(changes(), [
    [
      'comments',
      {
        id,
        text: 'Thank you! 🥐',
        from: { id: demo.photoId, username: 'demo.photos' },
        media: { id: demo.mediaId(1), media_product_type: 'FEED' },
        parent_id: demo.photoCommentId(4),
      },
    ],
  ]);
});

test('a reply to a reply belongs to the top-level comment', async (t) => {
  const { get, post } = await contentFor(t);
  const { id } = (await post(`${demo.photoCommentId(2)}/replies`, { message: 'Or earlier' })).body;
  t.is((await get(id, { fields: 'parent_id' })).body.parent_id, demo.photoCommentId(1));
  const replies = (await get(`${demo.photoCommentId(1)}/replies`)).body.data;
  t.deepEqual(
    replies.map((reply: { text: string }) => reply.text),
    ['At seven', 'Or earlier'],
  );
});

test('comments are reported on the entry for photoapp logins', async (t) => {
  const { post, reported, control } = await contentFor(t);
  control({ commentShape: 'entry' });
  await post(`${demo.mediaId(1)}/comments`, { message: 'Hello' });
  t.is(reported[0]?.place.in, 'entry');
  t.is(reported[0]?.entryId, demo.photoId);
});

test('a comment is hidden, shown and deleted with its replies', async (t) => {
  const { get, post, remove } = await contentFor(t);
  const id = demo.photoCommentId(1);
  const isHidden = async () => (await get(id, { fields: 'hidden' })).body.hidden;
  t.deepEqual((await post(id, { hide: 'true' })).body, { success: true });
  t.true(await isHidden());
  t.is(refusal(await post(`${id}/replies`, { message: 'Hello' }))[1], 100);
  await post(id, { hide: 'false' });
  t.false(await isHidden());
  t.deepEqual((await remove(id)).body, { success: true });
  t.deepEqual(refusal(await get(id)), [400, 100, 33]);
  t.deepEqual(refusal(await get(demo.photoCommentId(2))), [400, 100, 33]);
  t.deepEqual(refusal(await post(`${id}/replies`, { message: 'Hello' })), [400, 100, 33]);
  t.deepEqual(refusal(await remove(id)), [400, 100, 33]);
});

test("the account's comments cannot be hidden; texts and flags are required", async (t) => {
  const { post } = await contentFor(t);
  for (const [path, form] of [
    [demo.photoCommentId(2), { hide: 'true' }],
    [demo.photoCommentId(1), {}],
    [demo.photoCommentId(1), { hide: 'perhaps' }],
    [`${demo.photoCommentId(1)}/replies`, { message: ' ' }],
    [`${demo.mediaId(1)}/comments`, {}],
    [demo.mediaId(1), {}],
  ] as const) {
    t.deepEqual(refusal(await post(path, form)), [400, 100, undefined], path);
  }
});

test('a media object with disabled comments refuses them until they are enabled', async (t) => {
  const { get, post } = await contentFor(t);
  const id = demo.mediaId(2);
  t.deepEqual((await post(id, { comment_enabled: 'false' })).body, { success: true });
  t.false((await get(id, { fields: 'is_comment_enabled' })).body.is_comment_enabled);
  t.is(refusal(await post(`${id}/comments`, { message: 'First' }))[1], 100);
  await post(id, { comment_enabled: 'true' });
  const made = (await post(`${id}/comments`, { message: 'First' })).body.id;
  t.is((await get(made, { fields: 'media' })).body.media.id, id);
});

test('published media are read, commented on and measured', async (t) => {
  const published: Post = {
    ...{
      id: '18001234567890123',
      account: demo.photoId,
      mediaType: 'IMAGE',
      shortcode: 'abc',
      caption: 'New',
      containerId: '1',
    },
    ...{ permalink: 'https://photoapp.example/p/abc/', postedAtMs: Date.parse('2030-01-10T11:00:00Z'), children: [] },
    parameters: { image_url: 'https://media.example/new.jpg' },
  };
  const { get, post, seededPosts } = await contentFor(t, { publishedPosts: () => [published] });
  t.is((await get(demo.photoId, { fields: 'media_count' })).body.media_count, 4);
  t.like((await get(published.id, { fields: 'owner,shortcode,media_url,caption' })).body, {
    owner: { id: demo.photoId },
    shortcode: 'abc',
    media_url: 'https://media.example/new.jpg',
    caption: 'New',
  });
  t.is((await post(`${published.id}/comments`, { message: 'First' })).status, 200);
  t.is((await get(`${published.id}/insights`, { metric: 'reach' })).status, 200);
  const seeded = seededPosts().filter(({ account }) => account === demo.photoId);
  t.deepEqual(
    seeded.map(({ id, mediaType }) => [id, mediaType]),
    [
      [demo.mediaId(1), 'IMAGE'],
      [demo.mediaId(2), 'REELS'],
      [demo.mediaId(3), 'CAROUSEL'],
      [demo.mediaId(4), 'STORIES'],
    ],
  );
});

test('parameters come as JSON or in the query', async (t) => {
  const { call } = await contentFor(t);
  const json = { body: JSON.stringify({ hide: true }), headers: { 'content-type': 'application/json' } };
  t.deepEqual((await call('POST', other.photoCommentId(1), json)).body, { success: true });
  t.deepEqual((await call('POST', other.photoCommentId(1), { query: { hide: 'false' } })).body, { success: true });
});

test('a mention is answered where it was made', async (t) => {
  const { get, post, changes } = await contentFor(t);
  const { taggedMediaId: mediaId, mentioningCommentId: commentId } = demo;
  const answered = await post(`${demo.photoId}/mentions`, { media_id: mediaId, comment_id: commentId, message: 'Yes' });
  const replies = await get(`${commentId}/replies`, { fields: 'text' });
  t.deepEqual(replies.body.data, [{ text: 'Yes', id: answered.body.id }]);
  t.is((await post(`${demo.photoId}/mentions`, { media_id: mediaId, message: 'Thank you' })).status, 200);
  t.deepEqual(changes(), []);
  const foreign = { media_id: demo.mediaId(1), message: 'Hello' };
  t.deepEqual(refusal(await post(`${demo.photoId}/mentions`, foreign)), [400, 100, undefined]);
});
