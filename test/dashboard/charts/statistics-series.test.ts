import test from 'ava';
import { deliveryRate, destinationName, latency } from '../../../dashboard/charts/statistics-series.ts';

const bucket = { deliveries: 4, delivered: 4, failed: 0, waiting: 0, failedAttempts: 0, latencyMs: { p50: 2, p95: 5 } };
const statistics = {
  since: '2026-01-01T00:00:00.000Z',
  until: '2026-01-01T00:01:00.000Z',
  bucketSeconds: 20,
  isComplete: true,
  destinations: [
    {
      ...{
        type: 'webhook' as const,
        url: 'https://example.com/hook',
        label: null,
        subscriptionId: null,
        isDeleted: false,
      },
      buckets: [
        { at: '2026-01-01T00:00:20.000Z', ...bucket },
        { at: '2026-01-01T00:01:00.000Z', ...bucket },
      ],
    },
  ],
};

test('empty buckets count as zero; late deliveries count in the last', (t) => {
  const { times, series } = deliveryRate(statistics);
  t.is(times.length, 3);
  t.deepEqual(series, [{ label: 'webhook example.com', values: [0, 12, 12], destinationIndex: 0 }]);
});

test('buckets without deliveries have no latency', (t) => {
  t.deepEqual(
    latency(statistics).series.map(({ label, values }) => [label, ...values]),
    [
      ['webhook example.com, p50', null, 2, 2],
      ['webhook example.com, p95', null, 5, 5],
    ],
  );
});

test('a destination without label shows its type and host', (t) => {
  t.is(destinationName({ type: 'subscription', label: 'CRM', url: 'https://crm.example.com/a' }), 'CRM');
  t.is(destinationName({ type: 'listener', label: null, url: null }), 'listener');
});
