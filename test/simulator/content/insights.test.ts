import test from 'ava';
import { refusal } from '../api-server.ts';
import { contentFor, demo } from './client.ts';

type Item = { name: string; period: string; title: string };
const names = (answer: { body: { data: Item[] } }) => answer.body.data.map(({ name, period }) => `${name}/${period}`);
const total = { metric_type: 'total_value', period: 'day' };

test('account totals need metric_type, and one invalid metric fails the call', async (t) => {
  const { get } = await contentFor(t);
  const ask = async (query: Record<string, string>) => await get(`${demo.photoId}/insights`, query);
  t.is(refusal(await ask({ metric: 'views', period: 'day' }))[1], 100);
  const views = await ask({ metric: 'views,reach', ...total });
  t.deepEqual(names(views), ['views/day', 'reach/day']);
  t.is(typeof views.body.data[0].total_value.value, 'number');
  t.deepEqual((await ask({ metric: 'views,reach', ...total })).body, views.body);
  for (const query of [
    { metric: 'views,impressions', ...total },
    { metric: 'follower_count', ...total },
    { metric: 'views', metric_type: 'total_value', period: 'week' },
    { metric: 'reach' },
    { period: 'day' },
  ]) {
    t.deepEqual(refusal(await ask({ ...query })), [400, 100, undefined], JSON.stringify(query));
  }
});

test('account series have a value per day, for thirty days at most', async (t) => {
  const { get } = await contentFor(t);
  const ask = async (since: string, until: string) =>
    await get(`${demo.photoId}/insights`, { metric: 'reach', period: 'day', since, until });
  t.like((await ask('2030-01-01', '2030-01-04')).body.data[0].values, [
    { end_time: '2030-01-02T00:00:00+0000' },
    { end_time: '2030-01-03T00:00:00+0000' },
    { end_time: '2030-01-04T00:00:00+0000' },
  ]);
  t.is((await ask('1893456000', '1893542400')).body.data[0].values.length, 1);
  for (const [since, until] of [
    ['2030-01-04', '2030-01-04'],
    ['2030-01-01', '2030-02-02'],
    ['soon', '2030-02-02'],
  ] as const) {
    t.is(refusal(await ask(since, until))[1], 100, since);
  }
});

test('demographics need a breakdown, a timeframe and a hundred followers', async (t) => {
  const { get, control } = await contentFor(t);
  const ask = async (query: Record<string, string>) => await get(`${demo.photoId}/insights`, { ...total, ...query });
  const broken = (await ask({ metric: 'views', breakdown: 'media_product_type' })).body.data[0].total_value;
  t.deepEqual(broken.breakdowns[0].dimension_keys, ['media_product_type']);
  t.deepEqual(broken.breakdowns[0].results[0].dimension_values, ['POST']);
  const demographic = { metric: 'engaged_audience_demographics', period: 'lifetime', breakdown: 'country' };
  t.is(refusal(await ask(demographic))[1], 100);
  t.deepEqual(names(await ask({ ...demographic, timeframe: 'this_month' })), [
    'engaged_audience_demographics/lifetime',
  ]);
  t.is(refusal(await ask({ metric: 'follower_demographics', period: 'lifetime' }))[1], 100);
  control({
    add: { accounts: [{ id: demo.photoId, product: 'photoapp', name: 'Small', username: 's', followerCount: 99 }] },
  });
  t.deepEqual((await ask({ ...demographic, timeframe: 'this_month' })).body, { data: [] });
});

test('media have the metrics of their kind from five viewers', async (t) => {
  const { get } = await contentFor(t);
  const ask = async (n: number, metric: string) => await get(`${demo.mediaId(n)}/insights`, { metric });
  const asked = await ask(1, 'reach,saved');
  t.deepEqual(names(asked), ['reach/lifetime', 'saved/lifetime']);
  t.is(typeof asked.body.data[0].values[0].value, 'number');
  t.is((await ask(2, 'ig_reels_avg_watch_time')).status, 200);
  t.is(refusal(await ask(1, 'reach,navigation'))[1], 100);
  t.is(refusal(await ask(1, 'plays'))[1], 100);
  t.deepEqual(refusal(await ask(4, 'reach')), [400, 10, undefined]);
});

test('a Page has a list per period and links to adjacent days', async (t) => {
  const { get, call } = await contentFor(t);
  const ask = async (query: Record<string, string>) => await get(`${demo.pageId}/insights`, query);
  const all = await ask({ metric: '["page_post_engagements","page_follows"]' });
  t.deepEqual(names(all), [
    ...['page_post_engagements/day', 'page_post_engagements/week', 'page_post_engagements/days_28'],
    'page_follows/day',
  ]);
  const day = await ask({ metric: 'page_views_total', period: 'day' });
  t.deepEqual(
    day.body.data[0].values.map(({ end_time }: { end_time: string }) => end_time),
    ['2030-01-09T00:00:00+0000', '2030-01-10T00:00:00+0000'],
  );
  t.is(new URL(day.body.paging.next).searchParams.get('access_token'), 'token');
  t.deepEqual(names(await call('GET', day.body.paging.previous)), ['page_views_total/day']);
  t.deepEqual(refusal(await ask({ metric: 'page_views_total,page_impressions' })), [400, 100, undefined]);
  t.is(refusal(await ask({ metric: 'page_views_total', period: 'lifetime' }))[1], 100);
  t.deepEqual((await ask({ metric: 'page_follows', period: 'week' })).body.data, []);
});

test('a post has totals, partly by type, and no retired metrics', async (t) => {
  const { get } = await contentFor(t);
  const ask = async (metric: string) => await get(`${demo.postId(1)}/insights`, { metric });
  const asked = await ask('post_clicks,post_reactions_by_type_total');
  t.deepEqual(names(asked), ['post_clicks/lifetime', 'post_reactions_by_type_total/lifetime']);
  t.deepEqual(Object.keys(asked.body.data[1].values[0].value), ['like', 'love']);
  t.is(refusal(await ask('post_impressions'))[1], 100);
});

test('values and gaps can be scripted, and titles follow the locale', async (t) => {
  const { get, control } = await contentFor(t);
  const ask = async (metric: string, query: Record<string, string> = {}) =>
    await get(`${demo.photoId}/insights`, { metric, ...total, ...query });
  control({
    insights: [
      { metric: 'views', objectId: demo.photoId, value: 42 },
      { metric: 'likes', missing: 'empty' },
      { metric: 'saves', missing: 'tooFew' },
      { metric: 'shares', missing: 'unknown' },
    ],
  });
  t.is((await ask('views')).body.data[0].total_value.value, 42);
  t.deepEqual((await ask('likes')).body, { data: [] });
  t.deepEqual(names(await ask('views,likes')), ['views/day']);
  t.is(refusal(await ask('views,saves'))[1], 10);
  t.is(refusal(await ask('views,shares'))[1], 100);
  t.not((await ask('views', { locale: 'de_DE' })).body.data[0].title, (await ask('views')).body.data[0].title);
});
