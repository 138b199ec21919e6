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

test('a post that took effect despite a 5xx is not made again', async (t) => {
  const { post, control } = await contentFor(t);
  control({ faults: [{ at: 'post', httpStatus: 500, afterEffect: true, times: 1 }] });
  t.is((await post(feed, { message: 'three' })).status, 500);
  t.is(refusal(await post(feed, { message: 'three' }))[1], 506);
});

test('an answer can be HTML', async (t) => {
  const { get, control } = await contentFor(t);
  control({ faults: [{ at: 'read', wrongBody: 'html' }] });
  const page = await get(demo.pageId);
  t.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
  t.true(page.text.startsWith('<html>'));
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

test('the control counts, and resets to the seed', async (t) => {
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
  t.is((await control({ insights: [{ metric: '' }] })).status, 400);
  t.like((await call('DELETE', '/control/content')).body.settings, { clockOffsetSeconds: 0 });
  t.like(await held(), { objectCounts: seeded, callCounts: {}, calls: [] });
  t.is((await remove(demo.postId(1))).status, 200);
});
