import test from 'ava';
import type { BucketCounts } from '../../../db/deliveries/channel-statistics.ts';
import { presentStatistics } from '../../../api/deliveries/present-statistics.ts';

const counts: Omit<BucketCounts, 'destinationId' | 'isDeleted'> = {
  type: 'subscription',
  url: 'https://receiver.example.com/',
  label: null,
  subscriptionPublicId: null,
  bucket: 0,
  deliveryCount: 1,
  deliveredCount: 1,
  failedCount: 0,
  waitingCount: 0,
  failedAttemptCount: 0,
  latencyP50Ms: null,
  latencyP95Ms: null,
};

test('statistics omit the oldest of very many deleted destinations', (t) => {
  const span = { channelId: 1, workspaceId: 1, bucketMs: 1_000, since: new Date(0), until: new Date(5_000) };
  const buckets = Array.from({ length: 100 }, (_, id) => ({ ...counts, destinationId: id, isDeleted: id >= 10 }));
  const { isComplete, destinations } = presentStatistics(span, { buckets, isComplete: true });
  t.false(isComplete);
  t.is(destinations.length, 60);
  t.is(destinations.filter(({ isDeleted }) => !isDeleted).length, 10);
  t.true(presentStatistics(span, { buckets: buckets.slice(0, 60), isComplete: true }).isComplete);
});
