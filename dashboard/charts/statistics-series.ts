import type { Schema } from '../../client/create-client.ts';

type Statistics = Schema<'ChannelStatistics'>;
type Destination = Statistics['destinations'][number];
type Bucket = Destination['buckets'][number];

export interface Series {
  readonly label: string;
  /** One for each of the chart's times; null where there is nothing to draw. */
  readonly values: readonly (number | null)[];
  /** Which of the destinations it is of, from 0: what belongs together has one colour. */
  readonly place: number;
  /** The slow end of what another line shows. */
  readonly isDashed?: true;
}

export interface Chart {
  /** Beginnings of the span's parts, in seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

/** The parts of the span that have no delivery are not in the answer: they are put back. */
function valuesOf(
  { destinations, ...span }: Statistics,
  { of, absent }: { of: (bucket: Bucket) => number | null; absent: number | null },
): Chart {
  const times = timesOf(span);
  const series = destinations.map((destination, place) => {
    const byTime = new Map(destination.buckets.map((bucket) => [positionOf(bucket.at, span), of(bucket)]));
    const values = times.map((_, position) => byTime.get(position) ?? absent);
    return { label: destinationName(destination), values, place };
  });
  return { times, series };
}

type Span = Pick<Statistics, 'since' | 'until' | 'bucketSeconds'>;

function timesOf({ since, until, bucketSeconds }: Span): number[] {
  const count = Math.max(1, Math.round((Date.parse(until) - Date.parse(since)) / 1000 / bucketSeconds));
  return Array.from({ length: count }, (_, position) => Date.parse(since) / 1000 + position * bucketSeconds);
}

/** What came a moment after the end counts for the last part. */
function positionOf(at: string, { since, until, bucketSeconds }: Span): number {
  const last = timesOf({ since, until, bucketSeconds }).length - 1;
  return Math.min(last, Math.round((Date.parse(at) - Date.parse(since)) / 1000 / bucketSeconds));
}

/** Deliveries a minute, by destination. */
export function deliveryRate(statistics: Statistics): Chart {
  const perMinute = 60 / statistics.bucketSeconds;
  return valuesOf(statistics, { of: ({ deliveries }) => deliveries * perMinute, absent: 0 });
}

/** Attempts that were not accepted, by destination. */
export function failures(statistics: Statistics): Chart {
  return valuesOf(statistics, { of: ({ failedAttempts }) => failedAttempts, absent: 0 });
}

/** From the acceptance of an event to its arrival, by destination: the middle and the slow end. */
export function latency(statistics: Statistics): Chart {
  const p50 = valuesOf(statistics, { of: ({ latencyMs }) => latencyMs?.p50 ?? null, absent: null });
  const p95 = valuesOf(statistics, { of: ({ latencyMs }) => latencyMs?.p95 ?? null, absent: null });
  const slow = named(p95, 'p95').map((series) => ({ ...series, isDashed: true as const }));
  return { times: p50.times, series: [...named(p50, 'p50'), ...slow] };
}

/** Where nothing has arrived, there is no line to name. */
function named({ series }: Chart, quantile: string): Series[] {
  const drawn = series.filter(({ values }) => values.some((value) => value !== null));
  return drawn.map((one) => ({ ...one, label: `${one.label}, ${quantile}` }));
}

/** As a person calls a destination: its label, or what it is and the host that it is at. */
export function destinationName({ type, label, url }: Pick<Destination, 'type' | 'label' | 'url'>): string {
  if (label !== null) return label;
  return url === null ? type : `${type} ${new URL(url).host}`;
}
