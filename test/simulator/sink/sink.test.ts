import test from 'ava';
import { request } from 'undici';
import { startSink, type SinkArrival } from '../../../simulator/sink/sink.ts';

test('a sink counts distinct and repeated deliveries and passes bodies on', async (t) => {
  const arrived: SinkArrival[] = [];
  const sink = await startSink({ port: 0, readBodies: true, onRequest: (arrival) => arrived.push(arrival) });
  t.teardown(() => sink.stop());
  const deliver = async (id: string) => {
    const headers = { 'webhook-id': id };
    const { statusCode, headers: answered } = await request(`${sink.url}/a`, {
      method: 'POST',
      headers,
      body: `"${id}"`,
    });
    t.is(statusCode, 200);
    t.is(answered['content-length'], '0');
  };

  const waiting = sink.arrivals.waitForDistinct(2, 30_000);
  for (const id of ['wd_1', 'wd_1', 'wd_2']) await deliver(id);

  t.true(await waiting);
  t.deepEqual(
    arrived.map(({ body }) => body?.toString()),
    ['"wd_1"', '"wd_1"', '"wd_2"'],
  );
  t.is(sink.arrivals.timesMs.length, 3);
  t.true((sink.arrivals.firstArrivedAtMs('wd_2') ?? 0) >= (sink.arrivals.firstArrivedAtMs('wd_1') ?? Infinity));
  const { body } = await request(`${sink.url}/stats`);
  t.like(await body.json(), { count: 3, distinctCount: 2, duplicateCount: 1 });
});

test('a sink passes both probes without counting them', async (t) => {
  const sink = await startSink({ port: 0 });
  t.teardown(() => sink.stop());
  const get = await request(`${sink.url}/a?hub.mode=subscribe&hub.verify_token=T&hub.challenge=T`);
  t.is(await get.body.text(), 'T');
  const post = await request(`${sink.url}/a`, { method: 'POST' });
  await post.body.dump();
  t.is(post.statusCode, 200);
  t.is(sink.arrivals.stats.count, 0);
});
