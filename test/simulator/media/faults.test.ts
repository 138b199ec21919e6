import test from 'ava';
import { refusal } from '../api-server.ts';
import { fieldsOf } from '../../harness/fields-of.ts';
import { account, imageUrl, mediaFor, videoUrl } from './client.ts';

const image = { image_url: imageUrl };
const child = { ...image, is_carousel_item: 'true' };

test('a publish that is lost after its effect leaves a post', async (t) => {
  const { finished, publish, status, media } = await mediaFor(t);
  const id = await finished(image);
  media.control({
    faults: [
      { at: 'publish', lost: 'before', times: 1 },
      { at: 'publish', lost: 'after', times: 1 },
    ],
  });
  await t.throwsAsync(publish(id));
  t.like(media.faults(), [{ lost: 'after' }], 'the used fault is gone');
  t.is((await status(id)).status_code, 'FINISHED');
  await t.throwsAsync(publish(id));
  t.is((await status(id)).status_code, 'PUBLISHED');
  const publishes = media.calls().filter(({ at }) => at === 'publish');
  t.deepEqual(fieldsOf(publishes, 'madeId'), [null, media.posts()[0]?.id]);
});

test('each operation is refused as often as its fault says', async (t) => {
  const { base, get, create, finished, publish, media } = await mediaFor(t);
  const id = await finished(image);
  const post = (await publish(await finished(image))).body.id;
  const calls = {
    create: () => create(image),
    publish: () => publish(id),
    status: () => get(`/v23.0/${id}`),
    list: () => get(`${base}/media`),
    quota: () => get(`${base}/content_publishing_limit`),
    permalink: () => get(`/v23.0/${post}`, { fields: 'permalink' }),
  };
  for (const at of ['create', 'publish', 'status', 'list', 'quota', 'permalink'] as const) {
    media.control({ faults: [{ at, status: 403, code: 4, subcode: 2207051, message: 'Blocked', times: 2 }] });
    const first = await calls[at]();
    t.deepEqual(refusal(first), [403, 4, 2207051], at);
    t.is(first.body.error.message, 'Blocked');
    t.is((await calls[at]()).status, 403, at);
    t.is((await calls[at]()).status, 200, at);
  }
});

test('reads of single objects can contradict the writes', async (t) => {
  const { base, get, create, finished, publish, status, media } = await mediaFor(t);
  const id = await finished(image);
  media.control({ reads: 'missing' });
  t.deepEqual(refusal(await get(`/v23.0/${id}`)), [400, 100, 33]);
  const post = (await publish(id)).body.id;
  t.deepEqual(refusal(await get(`/v23.0/${post}`, { fields: 'permalink' })), [400, 100, 33]);
  t.is((await get(`${base}/media`, { fields: 'id,permalink' })).body.data[0].id, post);
  media.control({ reads: 'no_code' });
  const fresh = (await create(image)).body.id;
  t.deepEqual(await status(fresh), { id: fresh, status: 'In Progress: Media is still being processed.' });
  media.reset();
  t.is(media.containers().length, 0);
});

test('a fault matches a child by position, kind and URL', async (t) => {
  const { create, media } = await mediaFor(t);
  const outcome = async (fields: Record<string, string>) => (await create(fields)).status;
  const video = { media_type: 'VIDEO', video_url: videoUrl, is_carousel_item: 'true' };
  media.control({ faults: [{ at: 'create', match: { childIndex: 1 }, code: 9004 }] });
  t.deepEqual(
    [await outcome(image), await outcome(child), await outcome(child), await outcome(child)],
    [200, 200, 400, 200],
  );
  await create(image);
  t.deepEqual([await outcome(child), await outcome(child)], [200, 400]);
  media.control({ faults: [{ at: 'create', match: { mediaType: 'VIDEO', isCarouselItem: true }, code: 352 }] });
  t.deepEqual([await outcome(child), await outcome(video)], [200, 400]);
  media.control({ faults: [{ at: 'create', match: { urlIncludes: 'film', account }, code: 352 }] });
  t.deepEqual([await outcome(child), await outcome(video)], [200, 400]);
  media.control({ faults: [{ at: 'create', match: { account: '1' }, code: 352 }] });
  t.is(await outcome(child), 200);
});

test('a status fault matches containers by kind', async (t) => {
  const { create, status, media } = await mediaFor(t);
  const single = (await create(image)).body.id;
  const item = (await create(child)).body.id;
  media.control({ faults: [{ at: 'status', match: { isCarouselItem: true }, code: 24, subcode: 2207008 }] });
  t.is((await status(single)).status_code, 'IN_PROGRESS');
  t.is((await status(item)).error.error_subcode, 2207008);
});

test('processing can be scripted to fail', async (t) => {
  const { create, status, publish, media, clock } = await mediaFor(t);
  media.control({ outcomes: [{ subcode: 2207026, times: 1, processingMs: 500 }] });
  const failing = (await create(image)).body.id;
  const fine = (await create(image)).body.id;
  t.is((await status(failing)).status_code, 'IN_PROGRESS');
  clock.nowMs += 2_000;
  t.like(await status(failing), {
    status_code: 'ERROR',
    status: 'Error: Media upload has failed with error code 2207026',
  });
  t.deepEqual(refusal(await publish(failing)), [400, 9007, 2207027]);
  t.is((await status(fine)).status_code, 'FINISHED');
});

test('processing times come from the control, the options or the defaults', async (t) => {
  const { create, status, media } = await mediaFor(t, { processing: { imageMs: 0 } });
  t.is((await status((await create(image)).body.id)).status_code, 'FINISHED');
  media.control({ processing: { videoMs: 0, imageMs: 10 } });
  const reel = { media_type: 'REELS', video_url: videoUrl };
  t.is((await status((await create(reel)).body.id)).status_code, 'FINISHED');
  t.is((await status((await create(image)).body.id)).status_code, 'IN_PROGRESS');
  media.reset();
  t.is((await status((await create(image)).body.id)).status_code, 'FINISHED');
});

test('the control route scripts, shows and resets', async (t) => {
  const { call, create, media } = await mediaFor(t);
  const control = async (change: unknown) => await call('POST', '/control/media', { body: JSON.stringify(change) });
  t.like((await control({ clockOffsetSeconds: 3_600 })).body, { now: '2030-01-01T01:00:00.000Z' });
  t.like((await control({ containerLimit: 1 })).body.settings, { clockOffsetSeconds: 3_600, containerLimit: 1 });
  await create(image);
  t.deepEqual(refusal(await create(image)), [400, 9, 2207042]);
  const held = (await call('GET', '/control/media')).body;
  t.like(held.containers, [{ account, mediaType: 'IMAGE', statusCode: 'IN_PROGRESS', parameters: image }]);
  t.like(held, {
    posts: [],
    calls: [
      { at: 'create', status: 200 },
      { at: 'create', status: 400 },
    ],
  });
  t.like((await call('DELETE', '/control/media')).body.settings, {
    clockOffsetSeconds: 0,
    containerLimit: 400,
    faults: [],
  });
  t.deepEqual([media.containers(), media.calls()], [[], []]);
});
