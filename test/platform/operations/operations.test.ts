import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import fc from 'fast-check';
import { PlatformRejected, PlatformUnavailable } from '../../../platform/client/errors.ts';
import { instantOf } from '../../../platform/operations/answer-fields.ts';
import { downloadFile, listTemplates } from '../../../platform/operations/chatapp-content.ts';
import { listConversations } from '../../../platform/operations/conversations.ts';
import { boundaryOf, multipartOf } from '../../../platform/operations/multipart.ts';
import { listPagePosts, readPage } from '../../../platform/operations/page-content.ts';
import { publishReel } from '../../../platform/operations/page-publishing.ts';
import { listPhotoMedia } from '../../../platform/operations/photo-media.ts';
import { businessEdges } from '../../../platform/client/oauth-vocabulary.ts';
import { platformAddress } from '../../../platform/client/platform-address.ts';
import { retryAfterSeconds } from '../../../platform/client/rejection.ts';
import { json, operationsFor } from './test-server.ts';

const at = '2030-01-01T00:00:00.000Z';
const seconds = 1_893_456_000;

test('an instant is read the same in every unit', (t) => {
  const forms = [seconds, String(seconds), seconds * 1000, String(seconds * 1000), '2030-01-01T00:00:00+0000'];
  for (const form of [...forms, '2030-01-01T01:00:00+01:00', at]) t.is(instantOf(form), at, String(form));
  for (const none of [undefined, null, '', 'soon', {}, Number.NaN, Infinity]) t.is(instantOf(none), null);
});

test('lists with mixed times, numeric ids and unreadable items are read', async (t) => {
  const posts = [
    { id: 1, created_time: seconds },
    { id: '2', created_time: String(seconds), message: 5 },
    { created_time: at },
    null,
    { id: '3', created_time: seconds * 1000, status_type: 'added_video', permalink_url: 'javascript:alert(1)' },
  ];
  const { client } = await operationsFor(t, 'pageapp', { 'GET /v25.0/77/posts': json({ data: posts }) });
  const { items, nextCursor } = await listPagePosts(client, {});
  t.deepEqual(
    items.map(({ id, createdAt }) => [id, createdAt]),
    ['1', '2', '3'].map((id) => [id, at]),
  );
  t.like(items[2], { type: 'video', permalink: null, message: null });
  t.is(nextCursor, null);
});

test("a cursor may come from the page's URL, which is never called", async (t) => {
  const next = 'https://elsewhere.example/v1/77/posts?access_token=EAAB-the%2Ftoken&after=QVFI%3D';
  const { client, seen } = await operationsFor(t, 'pageapp', {
    'GET /v25.0/77/posts': [json({ data: [{ id: '1' }], paging: { next } }), json({ data: [] })],
  });
  const { nextCursor } = await listPagePosts(client, { limit: 1 });
  t.regex(nextCursor ?? '', /^[A-Za-z0-9_-]+$/);
  await listPagePosts(client, { limit: 1, cursor: nextCursor ?? '' });
  t.is(seen[1]?.query.get('after'), 'QVFI=');
  t.is(seen[1]?.headers.authorization, 'Bearer EAAB-the/token');
  t.false(seen[1]?.query.has('access_token'));
});

test('a carousel includes its children', async (t) => {
  const children = { data: [{ id: '10', media_type: 'VIDEO', timestamp: at }] };
  const { client } = await operationsFor(t, 'photoapp', {
    'GET /v25.0/9': json({
      id: '9',
      owner: { id: '77' },
      media_type: 'CAROUSEL_ALBUM',
      media_product_type: 'FEED',
      children,
    }),
  });
  const { items } = await listPhotoMedia(client, { mediaId: '9' });
  t.like(items[0], { mediaType: 'carousel', productType: 'feed' });
  t.like(items[0]?.children?.[0], { id: '10', mediaType: 'video', createdAt: at });
});

test('the participant of a conversation is not the account', async (t) => {
  const participants = {
    data: [
      { id: '77', name: 'Us' },
      { id: '88', username: 'kim' },
    ],
  };
  const { client } = await operationsFor(t, 'pageapp', {
    'GET /v25.0/77/conversations': json({ data: [{ id: 't_1', participants, updated_time: seconds }] }),
  });
  const { conversations } = await listConversations(client, {});
  t.like(conversations[0], { participantId: '88', participantName: 'kim', updatedAt: at, unreadCount: null });
});

test('a read obeys short wait hints and fails on long ones', async (t) => {
  const limited = (headers: object) => json({ error: { code: 80001, message: 'slow' } }, { status: 429, ...headers });
  const page = json({ id: '77', name: 'P' });
  const soon = await operationsFor(t, 'pageapp', { 'GET /v25.0/77': [limited({ 'retry-after': '1' }), page] });
  const startedAtMs = performance.now();
  t.is((await readPage(soon.client)).name, 'P');
  t.true(performance.now() - startedAtMs >= 990);
  const usage = JSON.stringify({ 77: [{ type: 'pages', estimated_time_to_regain_access: 2 }] });
  const headers = { 'x-business-use-case-usage': usage };
  const late = await operationsFor(t, 'pageapp', { 'GET /v25.0/77': [limited(headers), page] });
  const refusal = await t.throwsAsync(readPage(late.client), { instanceOf: PlatformRejected });
  t.is(refusal?.retryAfterSeconds, 120);
  t.is(late.seen.length, 1);
});

test('malformed wait hints are ignored', (t) => {
  const now = new Date(at);
  t.is(retryAfterSeconds({ 'retry-after': 'Tue, 01 Jan 2030 00:00:05 GMT' }, now), 5);
  t.is(retryAfterSeconds({ 'retry-after': '99999999' }, now), 86_400);
  for (const header of ['soon', '[]', '{"a":1}', '{"a":[{}]}']) {
    t.is(retryAfterSeconds({ 'retry-after': header, 'x-business-use-case-usage': header }, now), null, header);
  }
});

test('a reel is uploaded to a platform URL with the OAuth scheme', async (t) => {
  const far = await operationsFor(t, 'pageapp', {
    'POST /v25.0/77/video_reels': [
      (response) => json({ video_id: '5', upload_url: `${far.url}/upload/5` })(response),
      json({ success: true }),
      json({ video_id: '6', upload_url: 'https://elsewhere.example/upload/6' }),
    ],
    'POST /upload/5': json({ success: true }),
  });
  const videoUrl = 'https://media.example/film.mp4';
  t.deepEqual(await publishReel(far.client, { videoUrl }), { postId: '77_5', mediaId: '5' });
  const upload = far.seen[1];
  t.is(upload?.headers.authorization, 'OAuth EAAB-the/token');
  t.is(upload?.headers.file_url, videoUrl);
  await t.throwsAsync(publishReel(far.client, { videoUrl }), { instanceOf: PlatformUnavailable });
  t.is(far.seen.length, 4);
});

test('a token is sent only to the API and platform hosts', (t) => {
  const apiUrl = 'http://127.0.0.1:3100';
  for (const url of ['http://127.0.0.1:3100/x', 'https://lookaside.fbsbx.com/x?a=b']) {
    t.is(platformAddress(url, apiUrl).href, url);
  }
  const others = ['http://127.0.0.1:3101/x', 'http://lookaside.fbsbx.com/', 'https://fbsbx.com.example/', 'x', ''];
  for (const url of [...others, 'https://evilfbsbx.com/', 'https://u:p@lookaside.fbsbx.com/', 'file:///etc/passwd']) {
    t.throws(() => platformAddress(url, apiUrl), { instanceOf: PlatformUnavailable }, url);
  }
});

test('the businesses lead to the templates without targets', async (t) => {
  const refused = json({ error: { code: 100, message: 'none' } }, { status: 400 });
  const { client } = await operationsFor(t, 'chatapp', {
    'GET /v22.0/debug_token': json({
      data: { granular_scopes: [{ scope: 'business_management', target_ids: ['5'] }] },
    }),
    'GET /v22.0/5/phone_numbers': refused,
    'GET /v22.0/me/businesses': refused,
    [`GET /v22.0/5/${businessEdges.chatapp[0]}`]: json({ data: [{ id: '2' }] }),
    [`GET /v22.0/5/${businessEdges.chatapp[1]}`]: json({ data: [] }),
    'GET /v22.0/2/phone_numbers': json({ data: [{ id: '77' }] }),
    'GET /v22.0/2/message_templates': json({ data: [{ id: '3', name: 'hello', language: 'en_US' }] }),
  });
  t.like((await listTemplates(client, {})).items[0], { name: 'hello' });
});

test('a number has the templates of its business account', async (t) => {
  const granular_scopes = [{ scope: 'whatsapp_business_management', target_ids: ['1', '2'] }];
  const { client, seen, reports } = await operationsFor(t, 'chatapp', {
    'GET /v22.0/debug_token': json({ data: { granular_scopes } }),
    'GET /v22.0/1/phone_numbers': json({ data: [{ id: '70' }] }),
    'GET /v22.0/2/phone_numbers': json({ data: [{ id: '77' }] }),
    'GET /v22.0/2/message_templates': json({ data: [{ id: '3', name: 'hello', language: 'en_US' }] }),
  });
  const { items } = await listTemplates(client, { name: 'hello' });
  t.deepEqual(items, [{ id: '3', name: 'hello', language: 'en_US', status: null, category: null, components: [] }]);
  await listTemplates(client, {});
  t.is(seen.filter(({ call }) => call.endsWith('/debug_token')).length, 1);
  t.true(reports.every(({ path }) => !path.includes('EAAB')));
});

test('a refused call of the app does not blame the credential', async (t) => {
  const dead = json({ error: { code: 190, message: 'Invalid app token' } }, { status: 400 });
  const { client } = await operationsFor(t, 'chatapp', { 'GET /v22.0/debug_token': dead });
  await t.throwsAsync(listTemplates(client, {}), { instanceOf: PlatformUnavailable });
});

test("an image is downloaded from the platform's URL with its type", async (t) => {
  const far = await operationsFor(t, 'chatapp', {
    'GET /v22.0/9': (response) => json({ url: `${far.url}/files/9?hash=x`, mime_type: 'image/png' })(response),
    'GET /files/9': (response) => response.writeHead(200, { 'content-length': 3 }).end('png'),
  });
  const file = await downloadFile(far.client, '9');
  t.like(file, { contentType: 'image/png', length: 3 });
  t.is((await buffer(file.bytes)).toString(), 'png');
  t.is(far.seen[0]?.query.get('phone_number_id'), '77');
  t.is(far.seen[1]?.headers.authorization, 'Bearer EAAB-the/token');
  t.false(far.reports.some(({ path }) => path.includes('hash')));
});

test('a form with arbitrary file bytes is read as that file', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
      const length = bytes.length;
      const stream = Readable.from([Buffer.from(bytes)]);
      const { headers, body } = multipartOf({ bytes: stream, contentType: 'image/png', length });
      const whole = await buffer(Readable.from(body));
      t.is(whole.length, Number(headers['content-length']));
      const form = await new Response(whole, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
      t.deepEqual(new Uint8Array(await (form.get('file') as File).arrayBuffer()), new Uint8Array(bytes));
      t.is(form.get('type'), 'image/png');
    }),
    { numRuns: 30 },
  );
});

test('a boundary is read in both forms, and unsafe ones are refused', (t) => {
  t.is(boundaryOf('multipart/form-data; boundary=----a1'), '----a1');
  t.is(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b"'), undefined);
  t.is(boundaryOf('multipart/form-data; boundary="a=b"; charset=utf-8'), 'a=b');
  for (const none of ['multipart/form-data', 'multipart/mixed; boundary=a', 'multipart/form-data; boundary=a\r\nb']) {
    t.is(boundaryOf(none), undefined, none);
  }
});
