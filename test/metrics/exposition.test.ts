import test from 'ava';
import type { ShardService } from '../../db/ledger/shards/fleet.ts';
import { type InvariantCheckState, violationsOf } from '../../db/upkeep/invariant-runs.ts';
import { createApiMeter } from '../../metrics/api-metrics.ts';
import { createMetricRegistry } from '../../metrics/registry.ts';
import { startMetrics, startMetricsIfEnabled } from '../../metrics/server.ts';
import { createWorkerMeter } from '../../metrics/worker-metrics.ts';
import { addStateMetrics } from '../../metrics/state-metrics.ts';
import { unread } from './unread.ts';
import { rememberingLog } from '../harness/quiet-log.ts';

const log = rememberingLog();

test('counters, gauges and histograms have the text format', async (t) => {
  const registry = createMetricRegistry();
  registry.counters({ eaten_total: 'Eaten.\nAll' }).eaten_total.add(2, { what: 'a "pear" \\' });
  registry.gauges({ left: 'Left.' }).left.set(1.5);
  const sizes = registry.histogram({ name: 'size', help: 'Size.', bounds: [1, 10] });
  for (const size of [0.5, 1, 7, 30]) sizes.observe(size);
  t.is(
    await registry.expose(),
    [
      '# HELP eaten_total Eaten.\\nAll',
      '# TYPE eaten_total counter',
      'eaten_total{what="a \\"pear\\" \\\\"} 2',
      '# HELP left Left.',
      '# TYPE left gauge',
      'left 1.5',
      '# HELP size Size.',
      '# TYPE size histogram',
      'size_bucket{le="1"} 2',
      'size_bucket{le="10"} 3',
      'size_bucket{le="+Inf"} 4',
      'size_sum 38.5',
      'size_count 4',
      '',
    ].join('\n'),
  );
});

test('a metric with too many label sets stops growing', async (t) => {
  const registry = createMetricRegistry();
  const { seen_total: counter } = registry.counters({ seen_total: 'Seen.' });
  for (let at = 0; at < 5_000; at++) counter.add(1, { at });
  t.is((await registry.expose()).split('\n').length, 2_000 + 3);
});

test('two metrics with one name are rejected', (t) => {
  const registry = createMetricRegistry();
  registry.gauges({ left: 'Left.' });
  t.throws(() => registry.counters({ left: 'Left.' }));
});

test('the metrics port serves /metrics only', async (t) => {
  const meter = createApiMeter();
  meter.committed({ itemCount: 5, eventCount: 3, unroutedCount: 1 });
  const server = await startMetrics({ port: 0, host: '127.0.0.1', register: meter.register, log });
  t.teardown(() => server?.close());
  const answer = await fetch(server!.url);
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  const text = await answer.text();
  t.true(text.includes('\nchannels_events_accepted_total 3\n'));
  t.true(text.includes('\nchannels_events_deduplicated_total 1\n'));
  t.true(text.includes('\nchannels_events_unrouted_total 1\n'));
  t.regex(text, /\nprocess_resident_memory_bytes \d+\n/);
  t.regex(text, /\nnodejs_eventloop_lag_seconds\{quantile="0.99"\} [\d.e-]+\n/);
  for (const path of ['/', '/healthz', '/readyz']) {
    t.is((await fetch(server!.url.replace('/metrics', path))).status, 404, path);
  }
  t.is((await fetch(server!.url, { method: 'POST' })).status, 404);
});

test('a process without another server answers health checks here', async (t) => {
  const standing = { isReady: false, isAlive: true, temporal: 'ok' };
  const register = { expose: () => new Promise<string>(() => undefined) }; // like a hanging database
  const health = {
    isReady: () => standing.isReady,
    isAlive: () => Promise.resolve(standing.isAlive),
    temporalState: () => Promise.resolve(standing.temporal),
  };
  const start = { port: 0, host: '127.0.0.1', register, health, log };
  const server = await startMetrics(start);
  t.teardown(() => server?.close());
  const ask = async (path: string) => {
    const answer = await fetch(server!.url.replace('/metrics', path));
    return [answer.status, await answer.json()];
  };
  t.deepEqual(await ask('/healthz'), [200, { status: 'ok' }]);
  t.deepEqual(await ask('/readyz'), [503, { status: 'not_ready', temporal: 'ok' }]);
  standing.isReady = true;
  t.deepEqual(await ask('/readyz?from=probe'), [200, { status: 'ready', temporal: 'ok' }]);
  standing.temporal = 'unreachable';
  t.deepEqual(await ask('/readyz'), [200, { status: 'ready', temporal: 'unreachable' }], 'it still delivers');
  standing.temporal = 'namespace_missing';
  t.deepEqual(await ask('/readyz'), [503, { status: 'not_ready', temporal: 'namespace_missing' }]);
  standing.isAlive = false;
  t.deepEqual(await ask('/healthz'), [503, { status: 'hung' }]);
  t.is((await fetch(server!.url.replace('/metrics', '/readyz'), { method: 'POST' })).status, 404);
});

test('a port in use disables only metrics, and 0 disables them', async (t) => {
  const start = { host: '127.0.0.1', register: createMetricRegistry(), log };
  const first = await startMetrics({ ...start, port: 0 });
  t.teardown(() => first?.close());
  t.is(await startMetrics({ ...start, port: Number(new URL(first!.url).port) }), undefined);
  t.is(await startMetricsIfEnabled({ ...start, port: 0 }), undefined);
});

test('a failed refresh hides only the values it would refresh', async (t) => {
  const meter = createWorkerMeter();
  let isAway = false;
  let nowMs = 0;
  const of = { status: 'pending' } as const;
  const waiting = [{ ...of, count: 7 }];
  const oldest = [{ ...of, circuit: 'open' as const, seconds: 3 }];
  addStateMetrics(meter.register, {
    ...unread,
    now: () => nowMs,
    backlog: () =>
      isAway
        ? Promise.reject(new Error('away'))
        : Promise.resolve({ waiting, oldest, overdueSeconds: 0, circuits: [], notSettlingCount: 0, horizonSeconds: 0 }),
  });
  meter.moved('delivered', 2);
  t.true((await meter.register.expose()).includes('channels_backlog_deliveries{status="pending"} 7'));
  isAway = true;
  t.true((await meter.register.expose()).includes('channels_oldest_waiting_seconds{'), 'read recently');
  nowMs = 60_000;
  const text = await meter.register.expose();
  t.false(text.includes('channels_backlog_deliveries{'));
  t.true(text.includes('channels_deliveries_total{status="delivered"} 2'));
});

test('a read that does not end delays no other value', async (t) => {
  const meter = createWorkerMeter();
  const never = () => new Promise<never>(() => undefined);
  const shards = () => Promise.resolve({ unservedCount: 2, unservedSeconds: 7 });
  addStateMetrics(meter.register, { ...unread, database: never, shards, readWithinMs: 1 });
  const text = await meter.register.expose();
  t.true(text.includes('\nchannels_shards_unserved 2\n'));
  t.false(text.includes('\nchannels_database_lock_waits '));
});

test('the answer of a slow read is shown at the next exposition', async (t) => {
  const meter = createWorkerMeter();
  const slow = Promise.withResolvers<ShardService>();
  let nowMs = 0;
  const shards = () => (nowMs === 0 ? slow.promise : new Promise<never>(() => undefined));
  addStateMetrics(meter.register, { ...unread, shards, readWithinMs: 1, now: () => nowMs });
  const exposed = async () => (await meter.register.expose()).includes('\nchannels_shards_unserved 2\n');
  t.false(await exposed());
  slow.resolve({ unservedCount: 2, unservedSeconds: 7 });
  nowMs += 60_000;
  t.true(await exposed(), 'the next read takes long, too');
  nowMs += 60_000;
  t.false(await exposed(), 'it has not ended since');
});

test('a worker without the database reports its time without a shard', async (t) => {
  const meter = createWorkerMeter();
  let runsPumps = false;
  addStateMetrics(meter.register, { ...unread, idleMs: () => (runsPumps ? 31_500 : undefined) });
  t.false((await meter.register.expose()).includes('\nchannels_worker_idle_seconds '), 'it runs no pumps');
  runsPumps = true;
  t.true((await meter.register.expose()).includes('\nchannels_worker_idle_seconds 31.5\n'));
});

test('the last ledger check is shown by rule, with its age', async (t) => {
  const meter = createWorkerMeter();
  const checkedAt = new Date('2030-01-01T00:00:00Z');
  const violations = violationsOf((rule) => ({ count: rule === 'circuit_overdue' ? 3 : 0, samples: [] }));
  const run = { startedAt: checkedAt, endedAt: checkedAt, eventCount: 1, deliveryCount: 1, violations };
  let nowMs = checkedAt.getTime() + 5_000;
  let answer: () => Promise<InvariantCheckState> = () =>
    Promise.resolve({ run: undefined, since: new Date(nowMs - 9_000) });
  const now = () => nowMs;
  addStateMetrics(meter.register, { ...unread, invariants: () => answer(), now, clock: now });
  const first = await meter.register.expose();
  t.true(
    first.includes('\nchannels_invariants_age_seconds 9\n'),
    'counts from the installation before the first check',
  );
  t.false(first.includes('channels_invariant_violations{'));
  answer = () => Promise.resolve({ run, since: checkedAt });
  nowMs += 60_000;
  const second = await meter.register.expose();
  t.true(second.includes('channels_invariant_violations{rule="circuit_overdue"} 3\n'));
  t.true(second.includes('channels_invariant_violations{rule="event_sent_twice"} 0\n'));
  t.true(second.includes('\nchannels_invariants_age_seconds 65\n'));
  nowMs += 1_000;
  t.true((await meter.register.expose()).includes('\nchannels_invariants_age_seconds 66\n'), 'it grows between reads');
  answer = () => Promise.reject(new Error('away'));
  nowMs += 60_000;
  const last = await meter.register.expose();
  t.false(last.includes('channels_invariant_violations{'));
  t.false(last.includes('\nchannels_invariants_age_seconds '));
});
