import type { StatisticsBody } from '../../openapi/destinations/schema.ts';
import type { BucketCounts, ChannelStatistics, StatisticsSpan } from '../../db/deliveries/channel-statistics.ts';

type Destination = StatisticsBody['destinations'][number];

export function presentStatistics(span: StatisticsSpan, { buckets, isComplete }: ChannelStatistics): StatisticsBody {
  const destinations = Map.groupBy(buckets, ({ destinationId }) => destinationId);
  return {
    since: span.since.toISOString(),
    until: span.until.toISOString(),
    bucketSeconds: span.bucketMs / 1000,
    isComplete,
    destinations: [...destinations.values()].map((parts) => presentDestination(parts, span)),
  };
}

function presentDestination(parts: readonly BucketCounts[], span: StatisticsSpan): Destination {
  const { type, url, label, subscriptionPublicId } = parts[0]!;
  return {
    ...{ type, url, label, subscriptionId: subscriptionPublicId },
    buckets: parts.map((part) => ({
      at: new Date(span.since.getTime() + part.bucket * span.bucketMs).toISOString(),
      deliveries: part.deliveryCount,
      delivered: part.deliveredCount,
      failed: part.failedCount,
      waiting: part.waitingCount,
      failedAttempts: part.failedAttemptCount,
      latencyMs:
        part.latencyP50Ms === null || part.latencyP95Ms === null
          ? null
          : { p50: part.latencyP50Ms, p95: part.latencyP95Ms },
    })),
  };
}
