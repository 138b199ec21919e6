import type { StatisticsBody } from '../../openapi/destinations/schema.ts';
import type { BucketCounts, ChannelStatistics, StatisticsSpan } from '../../db/deliveries/channel-statistics.ts';

type Destination = StatisticsBody['destinations'][number];

/** More than a channel has at a time. Each has up to 500 buckets, and deleted ones have no limit. */
const MAX_DESTINATIONS = 60;

export function presentStatistics(span: StatisticsSpan, { buckets, isComplete }: ChannelStatistics): StatisticsBody {
  const destinations = [...Map.groupBy(buckets, ({ destinationId }) => destinationId).values()];
  const shown = new Set(destinations.toSorted(byPresence).slice(0, MAX_DESTINATIONS));
  return {
    since: span.since.toISOString(),
    until: span.until.toISOString(),
    bucketSeconds: span.bucketMs / 1000,
    isComplete: isComplete && shown.size === destinations.length,
    destinations: destinations.filter((parts) => shown.has(parts)).map((parts) => presentDestination(parts, span)),
  };
}

/** Present ones first, then the latest. */
function byPresence([one]: readonly BucketCounts[], [other]: readonly BucketCounts[]): number {
  return Number(one!.isDeleted) - Number(other!.isDeleted) || other!.destinationId - one!.destinationId;
}

function presentDestination(parts: readonly BucketCounts[], span: StatisticsSpan): Destination {
  const { type, url, label, subscriptionPublicId, isDeleted } = parts[0]!;
  const count = Math.max(1, Math.round((span.until.getTime() - span.since.getTime()) / span.bucketMs));
  // An id range can include slightly younger deliveries, which count in the last bucket.
  const byPosition = Map.groupBy(parts, ({ bucket }) => Math.min(bucket, count - 1));
  return {
    type,
    url,
    label,
    subscriptionId: subscriptionPublicId,
    isDeleted,
    buckets: Array.from({ length: count }, (_, position) => {
      const at = new Date(span.since.getTime() + position * span.bucketMs).toISOString();
      return { at, ...countsOf(byPosition.get(position) ?? []) };
    }),
  };
}

/** Quantiles cannot be added: those of the earlier bucket count. */
function countsOf(parts: readonly BucketCounts[]): Omit<Destination['buckets'][number], 'at'> {
  const sum = (of: (part: BucketCounts) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const { latencyP50Ms: p50, latencyP95Ms: p95 } = parts.find(({ latencyP50Ms }) => latencyP50Ms !== null) ?? {};
  return {
    deliveries: sum(({ deliveryCount }) => deliveryCount),
    delivered: sum(({ deliveredCount }) => deliveredCount),
    failed: sum(({ failedCount }) => failedCount),
    waiting: sum(({ waitingCount }) => waitingCount),
    failedAttempts: sum(({ failedAttemptCount }) => failedAttemptCount),
    latencyMs: typeof p50 === 'number' && typeof p95 === 'number' ? { p50, p95 } : null,
  };
}
