import type { Schema } from '../../client/create-client.ts';

type Statistics = Schema<'ChannelStatistics'>;
type Destination = Statistics['destinations'][number];
type Bucket = Destination['buckets'][number];

export interface Series {
  readonly label: string;
  /** One value per chart time. Null draws nothing. */
  readonly values: readonly (number | null)[];
  readonly destinationIndex: number;
  readonly isDashed?: true;
}

export interface Chart {
  /** The start of each bucket, in Unix seconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

function valuesOf(
  { destinations, ...span }: Statistics,
  { of, absent }: { of: (bucket: Bucket) => number | null; absent: number | null },
): Chart {
  const times = timesOf(span);
  const series = destinations.map((destination, destinationIndex) => {
    const byTime = new Map(destination.buckets.map((bucket) => [positionOf(bucket.at, span), of(bucket)]));
    const values = times.map((_, position) => byTime.get(position) ?? absent);
    return { label: destinationName(destination), values, destinationIndex };
  });
  return { times, series };
}

type Span = Pick<Statistics, 'since' | 'until' | 'bucketSeconds'>;

function timesOf({ since, until, bucketSeconds }: Span): number[] {
  const count = Math.max(1, Math.round((Date.parse(until) - Date.parse(since)) / 1000 / bucketSeconds));
  return Array.from({ length: count }, (_, position) => Date.parse(since) / 1000 + position * bucketSeconds);
}

/** Deliveries that arrive just after `until` count in the last bucket. */
function positionOf(at: string, { since, until, bucketSeconds }: Span): number {
  const last = timesOf({ since, until, bucketSeconds }).length - 1;
  return Math.min(last, Math.round((Date.parse(at) - Date.parse(since)) / 1000 / bucketSeconds));
}

export function deliveryRate(statistics: Statistics): Chart {
  const perMinute = 60 / statistics.bucketSeconds;
  return valuesOf(statistics, { of: ({ deliveries }) => deliveries * perMinute, absent: 0 });
}

export function failures(statistics: Statistics): Chart {
  return valuesOf(statistics, { of: ({ failedAttempts }) => failedAttempts, absent: 0 });
}

export function latency(statistics: Statistics): Chart {
  const p50 = valuesOf(statistics, { of: ({ latencyMs }) => latencyMs?.p50 ?? null, absent: null });
  const p95 = valuesOf(statistics, { of: ({ latencyMs }) => latencyMs?.p95 ?? null, absent: null });
  const slow = named(p95, 'p95').map((series) => ({ ...series, isDashed: true as const }));
  return { times: p50.times, series: [...named(p50, 'p50'), ...slow] };
}

function named({ series }: Chart, quantile: string): Series[] {
  const drawn = series.filter(({ values }) => values.some((value) => value !== null));
  return drawn.map((one) => ({ ...one, label: `${one.label}, ${quantile}` }));
}

export function destinationName({ type, label, url }: Pick<Destination, 'type' | 'label' | 'url'>): string {
  if (label !== null) return label;
  return url === null ? type : `${type} ${new URL(url).host}`;
}
