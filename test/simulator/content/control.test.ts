import test from 'ava';
import { refusal } from '../api-server.ts';
import { contentFor, demo, other } from './client.ts';

const feed = `${demo.pageId}/feed`;

test("named refusals have their product's code, and throttling its duration", async (t) => {
  const { get, control } = await contentFor(t);
  const asked = async (id: string) => await get(id, { fields: 'name' });
  control({ faults: [{ refusal: 'deadToken', times: 1 }] });
  t.deepEqual(refusal(await asked(demo.pageId)), [400, 190, 463]);
  control({ faults: [{ refusal: 'missingPermission', times: 2 }] });
  t.deepEqual(refusal(await asked(demo.pageId)), [403, 200, undefined]);
  t.deepEqual(refusal(await asked(demo.photoId)), [403, 10, undefined]);
  control({ faults: [{ refusal: 'throttled', regainAccessMinutes: 7 }] });
  t.deepEqual(refusal(await asked(demo.photoId)), [403, 80002, undefined]);
  const page = await asked(demo.pageId);
  t.deepEqual(refusal(page), [403, 32, undefined]);
  t.like(JSON.parse(String(page.headers['x-business-use-case-usage'])), {
    [demo.pageId]: [{ call_count: 100, estimated_time_to_regain_access: 7 }],
  });
  t.like(JSON.parse(String(page.headers['x-page-usage'])), { call_count: 100 });
  control({ faults: [{ refusal: 'throttled', code: 80001, status: 400 }] });
  t.deepEqual(refusal(await asked(demo.pageId)), [400, 80001, undefined]);
});

test('any refusal or 5xx can be scripted, with or without effect', async (t) => {
  const { post, control, objects } = await contentFor(t);
  const count = () => objects('post').length;
  const before = count();
  control({ faults: [{ at: 'post', code: 368, subcode: 7, status: 403, message: 'Blocked', times: 1 }] });
  const refused = await post(feed, { message: 'one' });
  t.deepEqual([...refusal(refused), refused.body.error.message], [403, 368, 7, 'Blocked']);
  control({ faults: [{ at: 'post', httpStatus: 503, times: 1 }] });
  t.deepEqual(refusal(await post(feed, { message: 'two' })), [503, 2, undefined]);
  t.is(count(), before);
  control({ faults: [{ at: 'post', httpStatus: 500, afterEffect: true, times: 1 }] });
  t.is((await post(feed, { message: 'three' })).status, 500);
  t.is(count(), before + 1);
  t.is(refusal(await post(feed, { message: 'three' }))[1], 506);
});

test('an answer is lost before or after the effect, as calls show', async (t) => {
  const { post, control, calls, objects } = await contentFor(t);
  const reply = async () => await post(`${demo.pageCommentId(1)}/comments`, { message: 'Hello' });
  const count = () => objects('comment').length;
  const before = count();
  control({
    faults: [
      { at: 'reply', lost: 'before', times: 1 },
      { at: 'reply', lost: 'after', times: 1 },
    ],
  });
  await t.throwsAsync(reply());
  t.is(count(), before);
  await t.throwsAsync(reply());
  t.is(count(), before + 1);
  const made = objects('comment').at(-1)?.id;
  t.like(calls(), [
    { at: 'reply', account: demo.pageId, outcome: 'lost', status: null, madeId: null, token: 'token' },
    { at: 'reply', outcome: 'lost', madeId: made },
  ]);
});

test('an answer can be late, empty or HTML', async (t) => {
  const { get, post, control, objects } = await contentFor(t);
  control({
    faults: [
      { at: 'post', wrongBody: 'empty' },
      { at: 'read', wrongBody: 'html' },
      { at: 'list', delayMs: 50 },
    ],
  });
  t.deepEqual((await post(feed, { message: 'Hello' })).body, {});
  t.is(objects('post').at(-1)?.text, 'Hello');
  const page = await get(demo.pageId);
  t.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
  t.true(page.text.startsWith('<html>'));
  const startedAtMs = performance.now();
  t.is((await get(`${demo.pageId}/posts`)).status, 200);
  t.true(performance.now() - startedAtMs >= 45);
});

test('a fault matches calls by product, account, object, edge and metric', async (t) => {
  const { get, control } = await contentFor(t);
  const isHit = async (path: string, query: Record<string, string> = {}) => (await get(path, query)).status === 418;
  const script = (match: Record<string, string>) => control({ faults: [{ code: 1, status: 418, match }] });
  script({ product: 'photoapp' });
  t.deepEqual([await isHit(demo.photoId), await isHit(demo.pageId)], [true, false]);
  script({ account: other.pageId });
  t.deepEqual([await isHit(other.postId(1)), await isHit(demo.postId(1))], [true, false]);
  script({ id: demo.postId(1), edge: 'comments' });
  t.deepEqual([await isHit(`${demo.postId(1)}/comments`), await isHit(demo.postId(1))], [true, false]);
  script({ metric: 'page_follows' });
  const insights = async (metric: string) => await isHit(`${demo.pageId}/insights`, { metric });
  t.deepEqual([await insights('page_views_total,page_follows'), await insights('page_views_total')], [true, false]);
});

test('the control counts, validates and resets to the seed', async (t) => {
  const { call, get, post, remove } = await contentFor(t);
  const control = async (change: unknown) => await call('POST', '/control/content', { body: JSON.stringify(change) });
  const held = async () => (await call('GET', '/control/content')).body;
  const seeded = (await held()).objectCounts;
  t.like(seeded, { account: 8, thread: 14 });
  await get(demo.pageId);
  await get(demo.postId(1));
  await post(feed, { message: 'Hello' });
  t.deepEqual((await held()).callCounts, { read: 2, post: 1 });
  t.is((await held()).objectCounts.post, seeded.post + 1);
  t.like((await control({ clockOffsetSeconds: 60, usage: { callCount: 80 } })).body, {
    now: '2030-01-10T12:01:00.000Z',
    settings: { usage: { callCount: 80, regainAccessMinutes: 0 } },
  });
  t.is(JSON.parse(String((await get(demo.pageId)).headers['x-app-usage'])).call_count, 80);
  for (const wrong of [
    { clock: 1 },
    { faults: [{ at: 'nowhere', code: 1 }] },
    { faults: [{ at: 'read' }] },
    { faults: [{ code: 1, httpStatus: 500 }] },
    { faults: [{ delayMs: 1, status: 400 }] },
    { faults: [{ lost: 'after', afterEffect: true }] },
    { insights: [{ metric: '' }] },
  ]) {
    t.is((await control(wrong)).status, 400, JSON.stringify(wrong));
  }
  t.like((await call('DELETE', '/control/content')).body.settings, { clockOffsetSeconds: 0 });
  t.like(await held(), { objectCounts: seeded, callCounts: {}, calls: [] });
  t.is((await remove(demo.postId(1))).status, 200);
});
