import type { Schema } from '../../client/create-client.ts';
import type { Chart, SeriesColor } from './statistics-series.ts';

type Usage = Schema<'Usage'>;
type Count = 'events' | 'deliveries' | 'attempts' | 'sends' | 'publishes';

const DAY_SECONDS = 86_400;

/** One value per day; days without a row count 0. */
export function usageChart({ since, until, usage }: Usage, counts: readonly { of: Count; label: string }[]): Chart {
  const first = Date.parse(since) / 1000;
  const length = Math.max(1, Math.round((Date.parse(until) / 1000 - first) / DAY_SECONDS));
  const times = Array.from({ length }, (_, position) => first + position * DAY_SECONDS);
  const byTime = new Map(usage.map((row) => [Date.parse(row.day) / 1000, row]));
  const series = counts.map(({ of, label }, index) => ({
    label,
    values: times.map((time) => byTime.get(time)?.[of] ?? 0),
    color: ((index % 5) + 1) as SeriesColor,
  }));
  return { times, series };
}
