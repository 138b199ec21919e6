import test from 'ava';
import {
  clockSpan,
  deliveryCounts,
  destinationName,
  failures,
  formatLatency,
  latency,
} from '../../../dashboard/charts/statistics-series.ts';

const empty = { deliveries: 0, delivered: 0, failed: 0, waiting: 0, failedAttempts: 0, latencyMs: null };
const full = { deliveries: 4, delivered: 2, failed: 1, waiting: 1, failedAttempts: 3, latencyMs: { p50: 2, p95: 5 } };
const webhook = { type: 'webhook' as const, url: 'https://example.com/hook', label: null, subscriptionId: null };
const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:30.000Z'] as const;
const buckets = [
  { at: first, ...empty },
  { at: second, ...full },
];
const statistics = {
  since: first,
  until: '2026-01-01T00:01:00.000Z',
  bucketSeconds: 30,
  isComplete: true,
  destinations: [
    { ...webhook, isDeleted: false, buckets },
    { ...webhook, label: 'CRM', isDeleted: true, buckets },
    { type: 'listener' as const, url: null, label: 'gone', subscriptionId: null, isDeleted: true, buckets },
  ],
};

test('counts are summed without deleted listeners, failed ones apart', (t) => {
  const { times, series } = deliveryCounts(statistics);
  t.deepEqual(
    times,
    [first, second].map((at) => Date.parse(at) / 1000),
  );
  t.deepEqual(
    series.map(({ label, values }) => [label, ...values]),
    [
      ['Delivered', 0, 4],
      ['Failed', 0, 2],
      ['Waiting', 0, 2],
    ],
  );
});

test('buckets without deliveries have no latency', (t) => {
  t.deepEqual(
    latency(statistics).series.map(({ label, values }) => [label, ...values]),
    [
      ['webhook example.com, p50', null, 2],
      ['CRM, p50', null, 2],
      ['webhook example.com, p95', null, 5],
      ['CRM, p95', null, 5],
    ],
  );
});

test('latencies have the unit that fits them', (t) => {
  const shown = [0.42, 12.7, 999, 1_000, 61_000, 600_000, 9_000_000].map(formatLatency);
  t.deepEqual(shown, ['0.4 ms', '13 ms', '999 ms', '1 s', '61 s', '10 min', '3 h']);
});

test('a destination without label shows its type and host', (t) => {
  t.is(destinationName({ type: 'subscription', label: 'CRM', url: 'https://crm.example.com/a' }), 'CRM');
  t.is(destinationName({ type: 'listener', label: null, url: null }), 'listener');
});

test('failed attempts of a single destination are red, and listeners have none', (t) => {
  const [own, other] = statistics.destinations;
  const listener = { ...webhook, type: 'listener' as const, url: null, label: 'laptop', isDeleted: false, buckets };
  const shown = (destinations: typeof statistics.destinations) =>
    failures({ ...statistics, destinations }).series.map(({ label, color }) => [label, color]);
  t.deepEqual(shown([own!, listener]), [['webhook example.com', 'bad']]);
  t.deepEqual(shown([own!, other!]), [['webhook example.com', 1], ['CRM', 2]]); // prettier-ignore
});

test('a single destination is not named in the legend of the latency', (t) => {
  const labels = latency({ ...statistics, destinations: [statistics.destinations[0]!] }).series.map(
    ({ label }) => label,
  );
  t.deepEqual(labels, ['p50', 'p95']);
});

test('the buckets of a channel begin at whole times of the clock', (t) => {
  const halfHours = { bucketMs: 30 * 60_000, buckets: 48 };
  t.deepEqual(clockSpan(halfHours, Date.parse('2026-01-02T13:28:40Z')), {
    since: '2026-01-01T13:30:00.000Z',
    until: '2026-01-02T13:30:00.000Z',
    buckets: 48,
  });
});
