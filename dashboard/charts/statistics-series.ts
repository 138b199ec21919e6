import type { Schema } from '../../client/create-client.ts';

export type Statistics = Schema<'ChannelStatistics'>;
type Destination = Statistics['destinations'][number];
type Bucket = Destination['buckets'][number];
/** A color of `style/charts.css`. */
export type SeriesColor = 'good' | 'bad' | 'wait' | 1 | 2 | 3 | 4 | 5;

export interface Series {
  readonly label: string;
  /** One value per chart time. Null draws nothing. */
  readonly values: readonly (number | null)[];
  readonly color: SeriesColor;
  readonly isDashed?: true;
}

export interface Chart {
  /** The start of each bucket, in Unix seconds. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

/** Listeners that were deleted since have no reader whom their past could tell something. */
export function shownDestinations({ destinations }: Pick<Statistics, 'destinations'>): readonly Destination[] {
  return destinations.filter(({ type, isDeleted }) => type !== 'listener' || !isDeleted);
}

interface Counted {
  readonly at: string;
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
}

/** Delivered, failed and waiting deliveries, to be stacked in this order. */
export function countsChart(buckets: readonly Counted[]): Chart {
  const valuesOf = (name: 'delivered' | 'failed' | 'waiting') => buckets.map((bucket) => bucket[name]);
  return {
    times: buckets.map(({ at }) => Date.parse(at) / 1000),
    series: [
      { label: 'Delivered', values: valuesOf('delivered'), color: 'good' },
      { label: 'Failed', values: valuesOf('failed'), color: 'bad' },
      { label: 'Waiting', values: valuesOf('waiting'), color: 'wait' },
    ],
  };
}

/** The counts of all shown destinations together. */
export function deliveryCounts(statistics: Statistics): Chart {
  const [first, ...others] = shownDestinations(statistics);
  const summed = (first?.buckets ?? []).map((bucket, position) =>
    others.reduce((sum: Counted, { buckets }) => added(sum, buckets[position]), bucket),
  );
  return countsChart(summed);
}

function added(sum: Counted, bucket: Bucket | undefined): Counted {
  if (!bucket) return sum;
  const { delivered, failed, waiting } = bucket;
  return {
    at: sum.at,
    delivered: sum.delivered + delivered,
    failed: sum.failed + failed,
    waiting: sum.waiting + waiting,
  };
}

const colorOf = (index: number): SeriesColor => ((index % 5) + 1) as SeriesColor;

export function failures(statistics: Statistics): Chart {
  // Readers of listeners have no attempts.
  const attempted = shownDestinations(statistics).filter(({ type }) => type !== 'listener');
  const { times, series } = perDestination(attempted, ({ failedAttempts }) => failedAttempts);
  return { times, series: series.length === 1 ? series.map((only) => ({ ...only, color: 'bad' as const })) : series };
}

/** In milliseconds. */
export function latency(statistics: Statistics): Chart {
  const destinations = shownDestinations(statistics);
  const p50 = perDestination(destinations, ({ latencyMs }) => latencyMs?.p50 ?? null);
  const p95 = perDestination(destinations, ({ latencyMs }) => latencyMs?.p95 ?? null);
  const slow = named(p95, 'p95').map((series) => ({ ...series, isDashed: true as const }));
  return { times: p50.times, series: [...named(p50, 'p50'), ...slow] };
}

function perDestination(destinations: readonly Destination[], of: (bucket: Bucket) => number | null): Chart {
  return {
    times: (destinations[0]?.buckets ?? []).map(({ at }) => Date.parse(at) / 1000),
    series: destinations.map((destination, index) => ({
      label: destinationName(destination),
      values: destination.buckets.map(of),
      color: colorOf(index),
    })),
  };
}

function named({ series }: Chart, quantile: string): Series[] {
  const drawn = series.filter(({ values }) => values.some((value) => value !== null));
  return drawn.map((one) => ({ ...one, label: drawn.length === 1 ? quantile : `${one.label}, ${quantile}` }));
}

export function destinationName({ type, label, url }: Pick<Destination, 'type' | 'label' | 'url'>): string {
  if (label !== null) return label;
  return url === null ? type : `${type} ${new URL(url).host}`;
}

interface ClockBuckets {
  readonly bucketMs: number;
  readonly buckets: number;
}

/** The query for buckets that begin at whole times of the clock. The last one holds the present and ends later. */
export function clockSpan({ bucketMs, buckets }: ClockBuckets, nowMs: number) {
  const untilMs = (Math.floor(nowMs / bucketMs) + 1) * bucketMs;
  const since = new Date(untilMs - buckets * bucketMs).toISOString();
  return { since, until: new Date(untilMs).toISOString(), buckets };
}

/** Formats a latency for people: `840 ms`, `1.2 s`, `3 min`. */
export function formatLatency(ms: number): string {
  if (ms < 1_000) return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  if (ms < 120_000) return `${Number((ms / 1_000).toFixed(ms < 10_000 ? 1 : 0))} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 3_600_000)} h`;
}
