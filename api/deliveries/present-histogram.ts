import type { Histogram } from '../../db/deliveries/histogram.ts';
import type { HistogramBody, HistogramQuery } from '../../openapi/deliveries/list-schema.ts';
import { InvalidRequest } from '../requests/errors.ts';

const DEFAULT_BUCKETS = 60;
const EMPTY = { delivered: 0, failed: 0, waiting: 0, notSent: 0 } as const;

export interface BucketSpan {
  readonly since: Date;
  readonly until: Date;
  readonly bucketMs: number;
  readonly bucketCount: number;
}

/** Buckets have whole milliseconds, so the last one may end after `until`. */
export function bucketSpanOf(query: Pick<HistogramQuery, 'since' | 'until' | 'buckets'>, nowMs: number): BucketSpan {
  const since = new Date(query.since);
  const until = query.until === undefined ? new Date(nowMs) : new Date(query.until);
  const spanMs = until.getTime() - since.getTime();
  if (spanMs <= 0) throw new InvalidRequest('query.since: must be before `until`.');
  const bucketMs = Math.ceil(spanMs / (query.buckets ?? DEFAULT_BUCKETS));
  return { since, until, bucketMs, bucketCount: Math.ceil(spanMs / bucketMs) };
}

export function presentHistogram(span: BucketSpan, { buckets, isComplete }: Histogram): HistogramBody {
  const counted = new Map(buckets.map(({ bucket, ...counts }) => [bucket, counts]));
  return {
    since: span.since.toISOString(),
    until: span.until.toISOString(),
    bucketMs: span.bucketMs,
    isComplete,
    buckets: Array.from({ length: span.bucketCount }, (_, index) => ({
      at: new Date(span.since.getTime() + index * span.bucketMs).toISOString(),
      ...(counted.get(index) ?? EMPTY),
    })),
  };
}
