import test from 'ava';
import { imageUrl, mediaFor, emptyPhotoAccount as account, refusal, videoUrl } from './client.ts';

const HOUR_MS = 3_600_000;
const child = { image_url: imageUrl, is_carousel_item: 'true' };
const reel = { media_type: 'REELS', video_url: videoUrl };
const tagged = (tags: unknown) => ({ user_tags: JSON.stringify(tags) });
/** Parameters, and the code and subcode of their refusal. */
const refused: [Record<string, string>, number, number?][] = [
  [{ media_type: 'VIDEO', video_url: videoUrl }, 100, 2207067],
  [{ media_type: 'FILM', video_url: videoUrl }, 100, 2207023],
  [{ media_type: 'IMAGE', image_url: imageUrl }, 100, 2207023],
  [{}, 100],
  [{ video_url: videoUrl }, 100],
  [{ media_type: 'REELS' }, 100],
  [{ media_type: 'STORIES' }, 100],
  [{ media_type: 'STORIES', image_url: imageUrl, video_url: videoUrl }, 100],
  [{ media_type: 'STORIES', image_url: imageUrl, caption: 'no' }, 100],
  [{ image_url: 'ftp://media.example/photo.jpg' }, 100],
  [{ image_url: imageUrl, caption: 'x'.repeat(2_201) }, 100, 2207010],
  [{ image_url: imageUrl, caption: '#a '.repeat(31) }, 100, 2207010],
  [{ image_url: imageUrl, caption: '@a '.repeat(21) }, 100, 2207010],
  [{ image_url: imageUrl, alt_text: 'x'.repeat(1_001) }, 100],
  [{ ...reel, alt_text: 'no' }, 100],
  [{ ...reel, thumb_offset: 'soon' }, 100],
  [{ ...reel, thumb_offset: '-1' }, 1, 2207057],
  [{ ...reel, trial_params: '{"graduation_strategy":"LATER"}' }, 100],
  [{ ...reel, share_to_feed: 'maybe' }, 100],
  [{ ...reel, is_carousel_item: 'true' }, 100],
  [{ ...reel, ...tagged([{ username: 'a', x: 0, y: 0 }]) }, 100, 2207035],
  [{ image_url: imageUrl, ...tagged([{ username: 'a' }]) }, 100, 2207036],
  [{ image_url: imageUrl, ...tagged([{ username: 'a', x: 2, y: 0 }]) }, 100, 2207037],
  [{ image_url: imageUrl, ...tagged(Array.from({ length: 21 }, () => ({ username: 'a', x: 0, y: 0 }))) }, 100, 2207040],
  [{ ...child, location_id: '1' }, 100],
  [{ media_type: 'CAROUSEL', children: '1' }, 100, 2207028],
  [{ media_type: 'CAROUSEL', children: Array.from({ length: 11 }, (_, n) => n).join() }, 100, 2207028],
  [{ media_type: 'CAROUSEL', children: '1,1' }, 100],
  [{ media_type: 'CAROUSEL', children: '1,2' }, 24, 2207006],
];

test('a container is finished after the processing time of its kind', async (t) => {
  const { create, status, clock } = await mediaFor(t);
  const image = (await create({ image_url: imageUrl })).body.id;
  const reel = (await create({ video_url: videoUrl, media_type: 'REELS' })).body.id;
  t.is((await status(image)).status_code, 'IN_PROGRESS');
  clock.nowMs += 2_000;
  t.deepEqual(await status(image), {
    id: image,
    status_code: 'FINISHED',
    status: 'Finished: Media has been uploaded and it is ready to be published.',
  });
  t.is((await status(reel)).status_code, 'IN_PROGRESS');
  clock.nowMs += 18_000;
  t.is((await status(reel)).status_code, 'FINISHED');
});

test('parameters come as a form, as JSON or in the query', async (t) => {
  const { call, media } = await mediaFor(t);
  const path = `${account}/media`;
  const caption = 'Fresh #bread & 🥐';
  const fields = { image_url: imageUrl, caption };
  await call('POST', path, { query: fields });
  await call('POST', path, { form: fields });
  const tags = [{ username: 'baker', x: 0.5, y: 1 }];
  await call('POST', path, { json: { ...fields, user_tags: tags, is_carousel_item: false } });
  t.deepEqual(
    media.containers().map(({ parameters }) => parameters['caption']),
    [caption, caption, caption],
  );
  t.is((await call('POST', path, { body: 'x'.repeat(70_000) })).status, 413);
});

test('an invalid container is refused with its code', async (t) => {
  const { create, media } = await mediaFor(t);
  for (const [fields, code, subcode] of refused) {
    t.deepEqual(refusal(await create(fields)), [400, code, subcode], JSON.stringify(fields).slice(0, 200));
  }
  t.is(media.containers().length, 0);
});

test('a container may have every parameter of its kind', async (t) => {
  const { create } = await mediaFor(t);
  const tags = JSON.stringify([{ username: 'baker' }]);
  const trial_params = JSON.stringify({ graduation_strategy: 'SS_PERFORMANCE' });
  const reel = { media_type: 'REELS', video_url: videoUrl, cover_url: imageUrl, thumb_offset: '0', user_tags: tags };
  t.is(
    (await create({ ...reel, share_to_feed: 'true', audio_name: 'Song', location_id: '7', trial_params })).status,
    200,
  );
  t.is((await create({ media_type: 'STORIES', image_url: imageUrl, user_tags: tags })).status, 200);
  t.is(
    (await create({ image_url: imageUrl, caption: '🥐'.repeat(2_200), alt_text: 'Bread', location_id: '7' })).status,
    200,
  );
});

test('a carousel accepts finished items of its own account only', async (t) => {
  const { create, finished, publish, status, clock } = await mediaFor(t);
  const first = await finished(child);
  const video = { media_type: 'VIDEO', video_url: videoUrl, is_carousel_item: 'true' };
  const second = (await create(video)).body.id;
  const single = await finished({ image_url: imageUrl });
  const foreign = (await create(child, '200000000000012')).body.id;
  const late = (await create(child)).body.id;
  const carousel = async (...ids: string[]) => await create({ media_type: 'CAROUSEL', children: ids.join() });
  t.deepEqual(refusal(await carousel(first, late)), [400, 9007, 2207027]);
  clock.nowMs += 2_000;
  t.deepEqual(refusal(await carousel(first, single)), [400, 100, undefined]);
  t.deepEqual(refusal(await carousel(first, foreign)), [400, 24, 2207006]);
  t.deepEqual(refusal(await publish(first)), [400, 100, undefined]);

  const { id } = (await create({ media_type: 'CAROUSEL', children: JSON.stringify([first, second]), caption: 'Two' }))
    .body;
  t.is((await status(id)).status_code, 'IN_PROGRESS');
  clock.nowMs += 1_000;
  t.is((await publish(id)).status, 200);
  clock.nowMs += 24 * HOUR_MS;
  t.deepEqual(refusal(await carousel(late, first)), [400, -2, 2207020]);
});

test('a finished container is published once', async (t) => {
  const { create, publish, status, media, clock } = await mediaFor(t);
  const { id } = (await create({ image_url: imageUrl })).body;
  t.deepEqual(refusal(await publish(id)), [400, 9007, 2207027]);
  clock.nowMs += 2_000;
  const mediaId = (await publish(id)).body.id;
  t.like(media.posts(), [{ id: mediaId, accountId: account, containerId: id }]);
  t.is((await status(id)).status_code, 'PUBLISHED');
  t.deepEqual(refusal(await publish(id)), [400, 24, 2207006]);
  t.deepEqual(refusal(await publish('1')), [400, 24, 2207006]);
  clock.nowMs += 25 * HOUR_MS;
  t.is((await status(id)).status_code, 'PUBLISHED');
  t.is(media.posts().length, 1);
});

test('a container that is not published in 24 hours expires', async (t) => {
  const { finished, publish, status, media } = await mediaFor(t);
  const id = await finished({ image_url: imageUrl });
  media.control({ clockOffsetSeconds: 86_400 });
  t.is((await status(id)).status_code, 'EXPIRED');
  t.deepEqual(refusal(await publish(id)), [400, -2, 2207020]);
});

test('the limits of posts and containers cover 24 hours', async (t) => {
  const { get, create, finished, publish, media, clock } = await mediaFor(t, { processing: { imageMs: 0 } });
  const quota = async () => (await get(`${account}/content_publishing_limit`, { fields: 'config,quota_usage' })).body;
  for (let count = 0; count < 100; count++) {
    t.is((await publish((await create({ image_url: imageUrl })).body.id)).status, 200);
  }
  t.deepEqual(await quota(), { data: [{ config: { quota_total: 100, quota_duration: 86_400 }, quota_usage: 100 }] });
  t.deepEqual(refusal(await publish((await create({ image_url: imageUrl })).body.id)), [400, 9, 2207042]);
  for (let count = media.containers().length; count < 400; count++) await create({ image_url: imageUrl });
  t.deepEqual(refusal(await create({ image_url: imageUrl })), [400, 9, 2207042]);
  clock.nowMs += 24 * HOUR_MS;
  t.is((await publish(await finished({ image_url: imageUrl }))).status, 200);
  t.is((await quota()).data[0].quota_usage, 1);
});

test('unknown objects and fields are refused', async (t) => {
  const { get, create } = await mediaFor(t);
  t.deepEqual(refusal(await get('4711')), [400, 100, 33]);
  const { id } = (await create({ image_url: imageUrl })).body;
  const unknown = id.replace(/\d{3}$/, (end: string) => (end === '000' ? '001' : '000'));
  t.deepEqual(refusal(await get(unknown)), [400, 24, 2207006]);
  t.deepEqual(refusal(await get(id, { fields: 'id,price' })), [400, 100, undefined]);
  t.deepEqual((await get(id)).body, { id });
});

test('posts are listed newest first, in pages, with the requested fields', async (t) => {
  const { get, finished, publish } = await mediaFor(t);
  for (const caption of ['one', 'two', 'three']) await publish(await finished({ image_url: imageUrl, caption }));
  const list = async (query: Record<string, string>) => (await get(`${account}/media`, query)).body;
  const fields = 'id,caption,media_type,media_product_type,permalink,timestamp';
  const first = await list({ fields, limit: '2' });
  t.like(first.data, [
    { caption: 'three', media_type: 'IMAGE', media_product_type: 'FEED', timestamp: '2030-01-01T00:01:00+0000' },
    { caption: 'two' },
  ]);
  t.regex(first.data[0].permalink, /^https:\/\/.+\/p\/[\w-]+\/$/);
  const next = new URL(first.paging.next);
  t.is(next.searchParams.get('access_token'), 'token');
  t.deepEqual((await get(next.href)).body.data, [(await list({ fields })).data[2]]);
  const second = await list({ fields: 'caption', limit: '2', after: first.paging.cursors.after });
  t.is(second.data[0].caption, 'one');
  t.is(second.paging.next, undefined);
  t.deepEqual(refusal(await get(`${account}/media`, { after: 'x' })), [400, 100, undefined]);
  t.deepEqual(refusal(await get(`${account}/media`, { limit: '0' })), [400, 100, undefined]);
  t.deepEqual((await get('200000000000078/media')).body, { data: [] });
});

test('each post names its kind and omits a missing caption', async (t) => {
  const { get, finished, publish } = await mediaFor(t);
  const kindOf = async (fields: Record<string, string>) => {
    const { id } = (await publish(await finished(fields))).body;
    const { body } = await get(id, { fields: 'caption,media_type,media_product_type,children' });
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
  const { get, finished, publish, clock } = await mediaFor(t);
  const story = (await publish(await finished({ image_url: imageUrl, media_type: 'STORIES' }))).body.id;
  t.deepEqual((await get(`${account}/media`)).body.data, []);
  t.deepEqual((await get(`${account}/stories`)).body.data, [{ id: story }]);
  clock.nowMs += 86_400_000;
  t.deepEqual((await get(`${account}/stories`)).body.data, []);
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

test('reads of single objects can contradict the writes', async (t) => {
  const { get, create, finished, publish, status, media } = await mediaFor(t);
  const id = await finished({ image_url: imageUrl });
  media.control({ reads: 'missing' });
  t.deepEqual(refusal(await get(id)), [400, 100, 33]);
  const post = (await publish(id)).body.id;
  t.deepEqual(refusal(await get(post, { fields: 'permalink' })), [400, 100, 33]);
  t.is((await get(`${account}/media`, { fields: 'id,permalink' })).body.data[0].id, post);
  media.control({ reads: 'no_code' });
  const fresh = (await create({ image_url: imageUrl })).body.id;
  t.deepEqual(await status(fresh), { id: fresh, status: 'In Progress: Media is still being processed.' });
});

test('processing can be scripted to fail', async (t) => {
  const { create, status, publish, media, clock } = await mediaFor(t);
  media.control({ outcomes: [{ subcode: 2207026, times: 1 }] });
  const failing = (await create({ image_url: imageUrl })).body.id;
  const fine = (await create({ image_url: imageUrl })).body.id;
  t.is((await status(failing)).status_code, 'IN_PROGRESS');
  clock.nowMs += 2_000;
  t.like(await status(failing), {
    status_code: 'ERROR',
    status: 'Error: Media upload has failed with error code 2207026',
  });
  t.deepEqual(refusal(await publish(failing)), [400, 9007, 2207027]);
  t.is((await status(fine)).status_code, 'FINISHED');
});

test('processing times come from the control or the options', async (t) => {
  const { create, status, media } = await mediaFor(t, { processing: { imageMs: 0 } });
  const fresh = async (fields: Record<string, string>) => (await status((await create(fields)).body.id)).status_code;
  t.is(await fresh({ image_url: imageUrl }), 'FINISHED');
  media.control({ processing: { videoMs: 0, imageMs: 10 } });
  t.is(await fresh(reel), 'FINISHED');
  t.is(await fresh({ image_url: imageUrl }), 'IN_PROGRESS');
  media.reset();
  t.is(await fresh({ image_url: imageUrl }), 'FINISHED');
});
