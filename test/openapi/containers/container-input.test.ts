import test from 'ava';
import { createDocument } from 'zod-openapi';
import { mediaTypes } from '../../../contract/containers/media-types.ts';
import { containerInput } from '../../../openapi/containers/schema.ts';

const image = 'https://cdn.example.com/a.jpg';
const video = 'https://cdn.example.com/a.mp4';

const accepted: Record<string, Record<string, unknown>> = {
  IMAGE: {
    imageUrl: image,
    caption: 'c',
    altText: 'a',
    locationId: '1',
    autoPublish: true,
    userTags: [{ username: 'some.body_1', x: 0, y: 1 }],
  },
  VIDEO: {
    videoUrl: video,
    caption: 'c',
    coverUrl: image,
    locationId: '1',
    thumbOffset: 0,
    audioName: 'n',
    shareToFeed: false,
    userTags: [{ username: 'somebody' }],
  },
  REELS: {
    videoUrl: video,
    caption: 'c',
    coverUrl: image,
    locationId: '1',
    thumbOffset: 7,
    audioName: 'n',
    shareToFeed: true,
    userTags: [{ username: 'somebody' }],
    trialParams: { graduationStrategy: 'manual', b: [1] },
  },
  STORIES: { imageUrl: image, userTags: [{ username: 'somebody' }] },
  CAROUSEL: {
    children: [{ imageUrl: image }, { videoUrl: video }],
    caption: 'c',
    shareToFeed: true,
    userTags: [{ username: 'somebody', x: 0.5, y: 0.5 }],
  },
};
const smallest: Record<string, Record<string, unknown>> = {
  IMAGE: { imageUrl: image },
  VIDEO: { videoUrl: video },
  REELS: { videoUrl: video },
  STORIES: { videoUrl: video },
  CAROUSEL: { children: [{ imageUrl: image }, { imageUrl: image }] },
};
const samples: Record<string, unknown> = {
  imageUrl: image,
  videoUrl: video,
  caption: 'c',
  coverUrl: image,
  altText: 'a',
  locationId: '1',
  audioName: 'n',
  shareToFeed: true,
  thumbOffset: 0,
  trialParams: { graduationStrategy: 'manual' },
  children: [{ imageUrl: image }, { imageUrl: image }],
};

function faultsOf(request: unknown): string[] {
  const result = containerInput.safeParse(request);
  const issues = result.error?.issues ?? [];
  return [...new Set(issues.map(({ path }) => path.join('.')))].sort();
}
const faults = (mediaType: string, fields: object) => faultsOf({ mediaType, ...smallest[mediaType], ...fields });

test('every type accepts its minimal and its maximal fields', (t) => {
  for (const mediaType of mediaTypes) {
    t.deepEqual(faultsOf({ mediaType, ...accepted[mediaType] }), [], mediaType);
    t.deepEqual(faults(mediaType, {}), [], mediaType);
  }
  t.false(containerInput.parse({ mediaType: 'IMAGE', imageUrl: image }).autoPublish);
});

test('a field of another type is refused', (t) => {
  const refused = {
    IMAGE: ['audioName', 'children', 'coverUrl', 'shareToFeed', 'thumbOffset', 'videoUrl'],
    VIDEO: ['altText', 'children', 'imageUrl'],
    REELS: ['altText', 'children', 'imageUrl'],
    STORIES: [
      ...['altText', 'audioName', 'caption', 'children', 'coverUrl', 'imageUrl', 'locationId'],
      ...['shareToFeed', 'thumbOffset'],
    ],
    CAROUSEL: [...['altText', 'audioName', 'coverUrl', 'imageUrl', 'locationId', 'thumbOffset', 'videoUrl']],
  };
  for (const mediaType of mediaTypes) {
    const one = Object.keys(samples).filter((field) => faults(mediaType, { [field]: samples[field] }).length > 0);
    t.deepEqual(one.sort(), refused[mediaType], mediaType);
  }
});

test('a missing required field of a type is refused', (t) => {
  t.deepEqual(faultsOf({ mediaType: 'IMAGE' }), ['imageUrl']);
  t.deepEqual(faultsOf({ mediaType: 'VIDEO' }), ['videoUrl']);
  t.deepEqual(faultsOf({ mediaType: 'REELS' }), ['videoUrl']);
  t.deepEqual(faultsOf({ mediaType: 'STORIES' }), ['imageUrl']);
  t.deepEqual(faultsOf({ mediaType: 'CAROUSEL' }), ['children']);
  t.deepEqual(faultsOf({ imageUrl: image }), ['mediaType']);
});

test('a carousel requires two to ten children with one URL each', (t) => {
  const child = { imageUrl: image };
  const of = (count: number) => Array.from({ length: count }, () => child);
  t.deepEqual(faults('CAROUSEL', { children: of(1) }), ['children']);
  t.deepEqual(faults('CAROUSEL', { children: of(10) }), []);
  t.deepEqual(faults('CAROUSEL', { children: of(11) }), ['children']);
  t.deepEqual(faults('CAROUSEL', { children: [child, {}] }), ['children.1']);
  t.deepEqual(faults('CAROUSEL', { children: [{ imageUrl: image, videoUrl: video }, child] }), ['children.0']);
  t.deepEqual(faults('CAROUSEL', { shareToFeed: false }), ['shareToFeed']);
});

test('tags on images require coordinates', (t) => {
  const tag = { username: 'somebody' };
  for (const mediaType of ['IMAGE', 'CAROUSEL']) {
    t.deepEqual(faults(mediaType, { userTags: [tag] }), ['userTags.0']);
    t.deepEqual(faults(mediaType, { userTags: [{ ...tag, x: 1 }] }), ['userTags.0.y']);
    t.deepEqual(faults(mediaType, { userTags: [{ ...tag, x: 1.1, y: -0.1 }] }), ['userTags.0.x', 'userTags.0.y']);
    t.deepEqual(faults(mediaType, { userTags: [{ x: 1, y: 1 }] }), ['userTags.0.username']);
  }
  for (const mediaType of ['VIDEO', 'REELS', 'STORIES']) {
    t.deepEqual(faults(mediaType, { userTags: [{ ...tag, x: 1, y: 1 }] }), []);
    t.deepEqual(faults(mediaType, { userTags: [{}] }), ['userTags.0.username']);
  }
  const children = [{ videoUrl: video }, { imageUrl: image }];
  t.deepEqual(faults('CAROUSEL', { children, userTags: [{ ...tag, x: 1, y: 1 }] }), ['children.0']);
});

test('a leading @ of a tagged username is dropped', (t) => {
  const tagged = (username: string) =>
    containerInput.safeParse({ mediaType: 'IMAGE', imageUrl: image, userTags: [{ username, x: 0, y: 1 }] });
  for (const username of ['@some.body_1', 'some.body_1', ' @some.body_1 ']) {
    t.is(tagged(username).data?.userTags?.[0]?.username, 'some.body_1', username);
  }
  for (const username of ['', '@', '@@somebody', 'some body', 'some@body', 'x'.repeat(31)]) {
    t.is(
      tagged(username).error?.issues[0]?.message,
      'must be a username of 1 to 30 letters, digits, dots and underscores',
    );
  }
});

test('texts have limits of characters, hashtags and mentions', (t) => {
  const caption = (text: string) => faults('IMAGE', { caption: text });
  t.deepEqual(caption('😀'.repeat(2200)), []);
  t.deepEqual(caption('😀'.repeat(2201)), ['caption']);
  t.deepEqual(caption('#über '.repeat(30)), []);
  t.deepEqual(caption('#über '.repeat(31)), ['caption']);
  t.deepEqual(caption('# '.repeat(31)), []);
  t.deepEqual(caption('@some.body '.repeat(20)), []);
  t.deepEqual(caption('@some.body '.repeat(21)), ['caption']);
  t.deepEqual(caption('a@b.example '.repeat(21)), []);
  t.deepEqual(caption('null \0'), ['caption']);
  t.deepEqual(caption('half \ud83d'), ['caption']);
  t.deepEqual(faults('IMAGE', { altText: 'a'.repeat(1000) }), []);
  t.deepEqual(faults('IMAGE', { altText: 'a'.repeat(1001) }), ['altText']);
});

test('a URL must be public https', (t) => {
  const refused = [
    'http://a.example/',
    'https://u:p@a.example/',
    'https://127.0.0.1/',
    'https://[fe80::1]/',
    'a.jpg',
    '',
  ];
  refused.push(
    'https://localhost/',
    'https://169.254.169.254/',
    'https://10.1/',
    `https://a.example/${'a'.repeat(2048)}`,
  );
  for (const url of refused) {
    t.deepEqual(faults('IMAGE', { imageUrl: url }), ['imageUrl'], url);
    t.deepEqual(faults('REELS', { videoUrl: url, coverUrl: url }), ['coverUrl', 'videoUrl'], url);
    t.deepEqual(
      faults('CAROUSEL', { children: [{ imageUrl: image }, { videoUrl: url }] }),
      ['children.1.videoUrl'],
      url,
    );
  }
});

test('trial parameters are free-form and bounded', (t) => {
  const trial = (trialParams: unknown) => faults('REELS', { trialParams });
  const allowed = [
    {},
    { graduationStrategy: 'manual' },
    { graduationStrategy: 'later' },
    { anything: { goes: [1, null] } },
  ];
  for (const params of allowed) t.deepEqual(trial(params), [], JSON.stringify(params));
  for (const params of [[], null, 'manual', 7, true]) t.deepEqual(trial(params), ['trialParams'], String(params));
  t.deepEqual(trial({ long: 'a'.repeat(4096) }), ['trialParams']);
  t.deepEqual(trial({ bad: '\0' }), ['trialParams']);
  t.deepEqual(trial(JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)), ['trialParams']);
});

test('malformed numbers and ids are refused', (t) => {
  for (const thumbOffset of [-1, 1.5, '1', Number.NaN]) t.deepEqual(faults('REELS', { thumbOffset }), ['thumbOffset']);
  for (const locationId of ['', 'a', 7]) t.deepEqual(faults('IMAGE', { locationId }), ['locationId']);
});

test('one error lists faults of the schema and of the rules', (t) => {
  const request = {
    mediaType: 'STORIES',
    caption: 7,
    altText: null,
    thumbOffset: -1,
    unknown: 1,
    autoPublish: 'yes',
    children: [{}, 5],
    userTags: [{ x: 3 }, 'somebody'],
    trialParams: 'manual',
  };
  t.deepEqual(faultsOf(request), [
    ...['', 'altText', 'autoPublish', 'caption', 'children', 'children.0', 'children.1', 'imageUrl', 'thumbOffset'],
    ...['trialParams', 'userTags.0.username', 'userTags.0.x', 'userTags.0.y'],
    'userTags.1',
  ]);
  for (const body of [null, [], 'text', 7]) t.deepEqual(faultsOf(body), ['']);
});

test('the document contains every field of the request', (t) => {
  const { components } = createDocument({
    openapi: '3.1.0',
    info: { title: 'test', version: '1' },
    paths: {
      '/': {
        post: { requestBody: { content: { 'application/json': { schema: containerInput } } }, responses: {} },
      },
    },
  });
  const schema = components?.schemas?.['MediaContainerInput'];
  if (typeof schema !== 'object' || !('properties' in schema)) return t.fail();
  t.like(schema, { required: ['mediaType'], additionalProperties: false });
  t.deepEqual(Object.keys(schema.properties ?? {}).sort(), [
    ...['altText', 'audioName', 'autoPublish', 'caption', 'children', 'coverUrl', 'imageUrl', 'locationId'],
    ...['mediaType', 'shareToFeed', 'thumbOffset', 'trialParams', 'userTags', 'videoUrl'],
  ]);
  t.like(schema, { properties: { caption: { type: 'string', maxLength: 2200 }, thumbOffset: { minimum: 0 } } });
});
