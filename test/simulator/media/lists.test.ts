import test from 'ava';
import { createCallLog } from '../../../simulator/scripted-api/call-log.ts';
import { createMediaStore } from '../../../simulator/media/store.ts';
import { refusal } from '../api-server.ts';
import { imageUrl, mediaFor, videoUrl } from './client.ts';

test('posts are listed newest first, in pages, with the requested fields', async (t) => {
  const { base, get, finished, publish } = await mediaFor(t);
  for (const caption of ['one', 'two', 'three']) await publish(await finished({ image_url: imageUrl, caption }));
  const list = async (query: Record<string, string>) => (await get(`${base}/media`, query)).body;
  const fields = 'id,caption,media_type,media_product_type,permalink,timestamp';
  const first = await list({ fields, limit: '2' });
  t.like(first.data, [
    { caption: 'three', media_type: 'IMAGE', media_product_type: 'FEED', timestamp: '2030-01-01T00:01:00+0000' },
    { caption: 'two' },
  ]);
  t.regex(first.data[0].permalink, /^https:\/\/.+\/p\/[\w-]+\/$/);
  const next = new URL(first.paging.next);
  t.is(next.searchParams.get('access_token'), 'token');
  t.deepEqual((await get(next.pathname, Object.fromEntries(next.searchParams))).body.data, [
    (await list({ fields })).data[2],
  ]);
  const second = await list({ fields: 'caption', limit: '2', after: first.paging.cursors.after });
  t.is(second.data[0].caption, 'one');
  t.is(second.paging.next, undefined);
  t.deepEqual(refusal(await get(`${base}/media`, { after: 'x' })), [400, 100, undefined]);
  t.deepEqual(refusal(await get(`${base}/media`, { limit: '0' })), [400, 100, undefined]);
  t.deepEqual((await get('/v23.0/200000000000078/media')).body, { data: [] });
});

test('each post names its kind and omits a missing caption', async (t) => {
  const { get, finished, publish } = await mediaFor(t);
  const kindOf = async (fields: Record<string, string>) => {
    const { id } = (await publish(await finished(fields))).body;
    const { body } = await get(`/v23.0/${id}`, { fields: 'caption,media_type,media_product_type,children' });
    t.is(body.id, id);
    t.false('caption' in body);
    return [body.media_type, body.media_product_type, body.children?.data.length ?? 0];
  };
  t.deepEqual(await kindOf({ image_url: imageUrl }), ['IMAGE', 'FEED', 0]);
  t.deepEqual(await kindOf({ video_url: videoUrl, media_type: 'REELS' }), ['VIDEO', 'REELS', 0]);
  t.deepEqual(await kindOf({ video_url: videoUrl, media_type: 'STORIES' }), ['VIDEO', 'STORY', 0]);
  const item = { image_url: imageUrl, is_carousel_item: 'true' };
  const children = `${await finished(item)},${await finished(item)}`;
  t.deepEqual(await kindOf({ media_type: 'CAROUSEL', children }), ['CAROUSEL_ALBUM', 'FEED', 2]);
});

test('stories have their own list for 24 hours', async (t) => {
  const { base, get, finished, publish, clock } = await mediaFor(t);
  const story = (await publish(await finished({ image_url: imageUrl, media_type: 'STORIES' }))).body.id;
  t.deepEqual((await get(`${base}/media`)).body.data, []);
  t.deepEqual((await get(`${base}/stories`)).body.data, [{ id: story }]);
  clock.nowMs += 86_400_000;
  t.deepEqual((await get(`${base}/stories`)).body.data, []);
});

test('the page lists containers and posts and escapes their contents', async (t) => {
  const { get, create, finished, publish, media } = await mediaFor(t);
  await publish(await finished({ image_url: imageUrl, caption: '<script>alert("1")</script>' }));
  media.control({ outcomes: [{ subcode: 2207026 }] });
  await finished({ media_type: 'REELS', video_url: `${videoUrl}?a='b'` });
  await create({ image_url: imageUrl, is_carousel_item: 'true' });
  const { status, text, headers } = await get('/media');
  t.is(status, 200);
  t.regex(String(headers['content-type']), /^text\/html/);
  for (const part of ['PUBLISHED', 'ERROR 2207026', 'IN_PROGRESS', '20 s', 'carousel item', 'http-equiv="refresh"']) {
    t.true(text.includes(part), part);
  }
  t.true(text.includes('&lt;script&gt;'));
  t.false(/<script|'b'|src=|href=/.test(text));
});

test('only the latest containers and calls are kept', (t) => {
  const store = createMediaStore();
  const calls = createCallLog();
  const fields = { account: '1', mediaType: 'IMAGE', isCarouselItem: false, parameters: {}, children: [] } as const;
  for (let number = 1; number <= 10_001; number++) {
    store.add({ ...fields, childIndex: null, createdAtMs: number, readyAtMs: number, errorSubcode: null });
    calls.begin({ at: 'create', method: 'POST', path: '/', account: '1', token: null, atMs: number });
  }
  t.is(store.containers().length, 8_000);
  t.is(store.containers().at(-1)?.createdAtMs, 10_001);
  t.is(calls.list().length, 10_000);
  t.is(calls.list()[0]?.number, 2);
});
