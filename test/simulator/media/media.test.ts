import test from 'ava';
import { refusal } from '../api-server.ts';
import { account, imageUrl, mediaFor, videoUrl } from './client.ts';

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
  const { call, base, media } = await mediaFor(t);
  const caption = 'Fresh #bread & 🥐';
  const query = new URLSearchParams({ image_url: imageUrl, caption }).toString();
  await call('POST', `${base}/media?${query}`);
  await call('POST', `${base}/media`, { body: query, 'content-type': 'application/x-www-form-urlencoded' });
  const tags = [{ username: 'baker', x: 0.5, y: 1 }];
  const body = JSON.stringify({ image_url: imageUrl, caption, user_tags: tags, is_carousel_item: false });
  await call('POST', `${base}/media`, { body, 'content-type': 'application/json' });
  t.deepEqual(
    media.containers().map(({ parameters }) => parameters['caption']),
    [caption, caption, caption],
  );
  for (const wrong of ['{', '[]', 'null']) {
    const answer = await call('POST', `${base}/media`, { body: wrong, 'content-type': 'application/json' });
    t.is(answer.body.error.code, 100, wrong);
  }
  t.is((await call('POST', `${base}/media`, { body: 'x'.repeat(70_000) })).status, 413);
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
  const { create, finished, publish, status, call, clock } = await mediaFor(t);
  const first = await finished(child);
  const video = { media_type: 'VIDEO', video_url: videoUrl, is_carousel_item: 'true' };
  const second = (await create(video)).body.id;
  const single = await finished({ image_url: imageUrl });
  const query = new URLSearchParams(child).toString();
  const foreign = (await call('POST', `/v23.0/200000000000012/media?${query}`)).body.id;
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
  t.like(media.posts(), [{ id: mediaId, account, containerId: id }]);
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
  const { base, get, create, finished, publish, media, clock } = await mediaFor(t);
  const quota = async () => (await get(`${base}/content_publishing_limit`, { fields: 'config,quota_usage' })).body;
  media.control({ quota: { total: 2, used: 1 } });
  t.deepEqual(await quota(), { data: [{ config: { quota_total: 2, quota_duration: 86_400 }, quota_usage: 1 }] });
  t.is((await publish(await finished({ image_url: imageUrl }))).status, 200);
  t.is((await quota()).data[0].quota_usage, 2);
  const waiting = await finished({ image_url: imageUrl });
  t.deepEqual(refusal(await publish(waiting)), [400, 9, 2207042]);
  media.control({ quota: { used: null } });
  t.is((await publish(waiting)).status, 200);

  for (let count = media.containers().length; count < 400; count++) await create({ image_url: imageUrl });
  t.deepEqual(refusal(await create({ image_url: imageUrl })), [400, 9, 2207042]);
  clock.nowMs += 24 * HOUR_MS;
  t.is((await create({ image_url: imageUrl })).status, 200);
  t.is((await quota()).data[0].quota_usage, 0);
});

test('unknown objects and fields are refused', async (t) => {
  const { get, create } = await mediaFor(t);
  t.deepEqual(refusal(await get('/v23.0/4711')), [400, 100, 33]);
  const { id } = (await create({ image_url: imageUrl })).body;
  const unknown = id.replace(/\d{3}$/, (end: string) => (end === '000' ? '001' : '000'));
  t.deepEqual(refusal(await get(`/v23.0/${unknown}`)), [400, 24, 2207006]);
  t.deepEqual(refusal(await get(`/v23.0/${id}`, { fields: 'id,price' })), [400, 100, undefined]);
  t.deepEqual((await get(`/v23.0/${id}`)).body, { id });
  const { body } = await get(`/v23.0/${id}`, { fields: 'copyright_check_status' });
  t.deepEqual(body.copyright_check_status, { status: 'in_progress', matches_found: false });
});

test('every answer carries the usage headers', async (t) => {
  const { base, get, media } = await mediaFor(t);
  media.control({ usage: { callCount: 100, regainAccessMinutes: 7 } });
  for (const path of [`${base}/media`, '/v23.0/17890000000000001']) {
    const { headers } = await get(path);
    t.is(JSON.parse(String(headers['x-app-usage'])).call_count, 100);
    const [limits] = Object.values(JSON.parse(String(headers['x-business-use-case-usage'])));
    t.like(limits, [{ call_count: 100, total_time: 0, estimated_time_to_regain_access: 7 }]);
  }
});
