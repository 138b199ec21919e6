import test from 'ava';
import { containerInput } from '../../../openapi/containers/schema.ts';
import { carouselParameters, childParameters, containerParameters } from '../../../platform/media/parameters.ts';

const image = 'https://cdn.example.com/a.jpg';
const video = 'https://cdn.example.com/a.mp4';
const parse = (request: object) => containerInput.parse(request);

test('an image has no media type', (t) => {
  const userTags = [{ username: 'somebody', x: 0, y: 0.5 }];
  const request = parse({
    mediaType: 'IMAGE',
    imageUrl: image,
    caption: '#a',
    altText: 'b',
    locationId: '7',
    userTags,
  });
  t.deepEqual(containerParameters(request), {
    image_url: image,
    caption: '#a',
    alt_text: 'b',
    location_id: '7',
    user_tags: '[{"username":"somebody","x":0,"y":0.5}]',
  });
});

test('a single video becomes a reel', (t) => {
  t.deepEqual(containerParameters(parse({ mediaType: 'VIDEO', videoUrl: video, thumbOffset: 0, shareToFeed: false })), {
    media_type: 'REELS',
    video_url: video,
    thumb_offset: '0',
    share_to_feed: 'false',
  });
});

test('a reel sends its cover instead of its offset, and its trial', (t) => {
  const reel = {
    mediaType: 'REELS',
    videoUrl: video,
    coverUrl: image,
    thumbOffset: 7,
    audioName: 'n',
    shareToFeed: true,
    caption: 'c',
    locationId: '7',
    userTags: [{ username: 'somebody' }],
    autoPublish: true,
  };
  const expected = {
    media_type: 'REELS',
    video_url: video,
    cover_url: image,
    audio_name: 'n',
    share_to_feed: 'true',
    caption: 'c',
    location_id: '7',
    user_tags: '[{"username":"somebody"}]',
  };
  t.deepEqual(containerParameters(parse(reel)), expected);
  const trial = (trialParams: object) => containerParameters(parse({ ...reel, trialParams }))['trial_params'];
  t.is(trial({ graduationStrategy: 'manual' }), '{"graduation_strategy":"MANUAL"}');
  t.is(trial({}), undefined, 'the platform refuses an empty object');
  t.is(trial({ new: { any: [1] } }), '{"new":{"any":[1]}}');
  t.is(trial({ graduation_strategy: 'MANUAL' }), '{"graduation_strategy":"MANUAL"}');
  t.is(trial({ graduationStrategy: 'later' }), '{"graduation_strategy":"later"}');
  t.is(trial({ graduationStrategy: 'automatic', new: 1 }), '{"new":1,"graduation_strategy":"SS_PERFORMANCE"}');
});

test('coordinates of tags on videos and stories are dropped', (t) => {
  const userTags = [{ username: 'a', x: 0.5, y: 0.5 }];
  for (const mediaType of ['VIDEO', 'REELS', 'STORIES']) {
    const parameters = containerParameters(parse({ mediaType, videoUrl: video, userTags }));
    t.is(parameters['user_tags'], '[{"username":"a"}]', mediaType);
  }
});

test('a story has its image or video and its tags', (t) => {
  t.deepEqual(containerParameters(parse({ mediaType: 'STORIES', imageUrl: image, userTags: [] })), {
    media_type: 'STORIES',
    image_url: image,
  });
  t.deepEqual(containerParameters(parse({ mediaType: 'STORIES', videoUrl: video, userTags: [{ username: 'a' }] })), {
    media_type: 'STORIES',
    video_url: video,
    user_tags: '[{"username":"a"}]',
  });
});

test("a carousel's first child has the tags, the carousel the caption", (t) => {
  const children = [{ imageUrl: image }, { videoUrl: video }];
  const userTags = [{ username: 'a', x: 1, y: 1 }];
  const request = parse({ mediaType: 'CAROUSEL', children, userTags, caption: 'c', shareToFeed: true });
  t.deepEqual(childParameters(request, 0), {
    is_carousel_item: 'true',
    image_url: image,
    user_tags: '[{"username":"a","x":1,"y":1}]',
  });
  t.deepEqual(childParameters(request, 1), { is_carousel_item: 'true', media_type: 'VIDEO', video_url: video });
  t.deepEqual(carouselParameters(request, ['1', '2']), { media_type: 'CAROUSEL', children: '1,2', caption: 'c' });
  t.throws(() => childParameters(request, 2));
  t.throws(() => containerParameters(request));
});
