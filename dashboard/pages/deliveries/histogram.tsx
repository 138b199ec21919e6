import { useRef, useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { useLoad } from '../../kit/calls.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { setQuery } from '../../routes/router.ts';
import { usePlace } from '../../session/page-outlet.tsx';
import { type DeliveryFilters, formatSpan, listQueryOf } from './delivery-filters.ts';

type Histogram = Schema<'DeliveryHistogram'>;
type Bucket = Histogram['buckets'][number];

const DEFAULT_SPAN_MS = 24 * 3_600_000;
const REFRESH_MS = 30_000;
const BUCKETS = 60;

/** Counts over time as stacked bars. A click on a bar, or a drag over several, filters by their time. */
export function DeliveryHistogram({ filters }: { readonly filters: DeliveryFilters }) {
  const { workspaceId, api } = usePlace();
  const { since, until, ...others } = filters;
  const load = () => {
    const from = since ?? new Date((until ? Date.parse(until) : Date.now()) - DEFAULT_SPAN_MS).toISOString();
    const params = { query: { ...listQueryOf(others), since: from, ...(until && { until }), buckets: BUCKETS } };
    return api.get('/deliveries/histogram', { params });
  };
  const everyMs = until === undefined && filters.search === undefined ? REFRESH_MS : 0; // a search reads bodies
  const { value, error } = useLoad(['histogram', workspaceId, filters], load, { everyMs });
  const span = value ?? { since: since ?? '', until: until ?? '' };
  return (
    <figure class="delivery-histogram" aria-label="Deliveries over time">
      <Bars buckets={value?.buckets ?? []} end={span.until} />
      <figcaption>
        <span>{value ? spanText(value, filters) : error ? 'Counts are not available.' : 'Counting…'}</span>
        {value && <Legend buckets={value.buckets} />}
      </figcaption>
    </figure>
  );
}

function spanText({ since, until, isComplete }: Histogram, filters: DeliveryFilters): string {
  const text = filters.since === undefined ? 'Last 24 hours' : formatSpan({ since, until }, new Date());
  if (isComplete) return text;
  return filters.search === undefined ? `${text}, newest 50,000 only` : `${text}, found among the newest`;
}

/** In the order of the stack, from the ground up. */
const parts = ['delivered', 'waiting', 'notSent', 'failed'] as const;
const partNames = { delivered: 'delivered', waiting: 'waiting', notSent: 'not sent', failed: 'failed' } as const;

interface BarsProps {
  readonly buckets: readonly Bucket[];
  readonly end: string;
}

function Bars({ buckets, end }: BarsProps) {
  const from = useRef<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const highest = Math.max(1, ...buckets.map(countOf));
  const isMarked = (index: number): boolean => {
    const { current } = from;
    return current !== null && to !== null && index >= Math.min(current, to) && index <= Math.max(current, to);
  };
  const choose = (first: number, last: number): void => {
    from.current = null;
    setTo(null);
    setQuery({ since: buckets[first]!.at, until: buckets[last + 1]?.at ?? end });
  };
  return (
    <div
      class="bars"
      onPointerLeave={() => {
        from.current = null;
        setTo(null);
      }}
    >
      {buckets.map((bucket, index) => (
        <button
          key={index}
          type="button"
          class={isMarked(index) ? 'bar marked' : 'bar'}
          tabIndex={countOf(bucket) > 0 ? 0 : -1}
          aria-label={describe(bucket, buckets[index + 1]?.at ?? end)}
          title={describe(bucket, buckets[index + 1]?.at ?? end)}
          onPointerDown={() => {
            from.current = index;
            setTo(index);
          }}
          onPointerEnter={() => from.current !== null && setTo(index)}
          onPointerUp={() =>
            from.current !== null && choose(Math.min(from.current, index), Math.max(from.current, index))
          }
          onKeyDown={({ key }) => (key === 'Enter' || key === ' ') && choose(index, index)}
        >
          {parts.map((part) => (
            <span key={part} class={part} style={{ height: `${shareOf(bucket[part], highest)}%` }} />
          ))}
        </button>
      ))}
    </div>
  );
}

const MIN_SHARE = 4;

/** Few failures among many deliveries are still visible. */
function shareOf(count: number, highest: number): number {
  return count === 0 ? 0 : Math.max(MIN_SHARE, (100 * count) / highest);
}

function countOf({ delivered, failed, waiting, notSent }: Bucket): number {
  return delivered + failed + waiting + notSent;
}

function describe(bucket: Bucket, until: string): string {
  const counts = parts
    .filter((part) => bucket[part] > 0)
    .map((part) => `${formatNumber(bucket[part])} ${partNames[part]}`);
  return `${formatSpan({ since: bucket.at, until }, new Date())}: ${counts.join(', ') || 'none'}`;
}

function Legend({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const sums = parts.map((part) => [part, buckets.reduce((sum, bucket) => sum + bucket[part], 0)] as const);
  return (
    <span class="legend">
      {sums.map(([part, sum]) => (
        <span key={part} class={`key ${part}`}>
          {formatNumber(sum)} {partNames[part]}
        </span>
      ))}
    </span>
  );
}
