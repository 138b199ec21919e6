import { useMemo, useState } from 'preact/hooks';
import { useLoad } from '../kit/calls.ts';
import { formatNumber } from '../kit/format/format.ts';
import { Choice, Panel, WhenLoaded } from '../kit/parts.tsx';
import { api } from '../session/api.ts';
import {
  clockSpan,
  deliveryCounts,
  failures,
  formatLatency,
  latency,
  shownDestinations,
  type Statistics,
} from './statistics-series.ts';
import { TimeChart } from './time-chart.tsx';

const MINUTE_MS = 60_000;
const ranges = {
  '1 h': { bucketMs: MINUTE_MS, buckets: 60 },
  '24 h': { bucketMs: 30 * MINUTE_MS, buckets: 48 },
  '7 d': { bucketMs: 120 * MINUTE_MS, buckets: 84 },
} as const;
type Range = keyof typeof ranges;
const REFRESH_MS = 15_000;

export function ChannelCharts({ channelId: ch }: { readonly channelId: string }) {
  const [range, setRange] = useState<Range>('1 h');
  const load = () => {
    const params = { path: { ch }, query: clockSpan(ranges[range], Date.now()) };
    return api.get('/channels/{ch}/statistics', { params });
  };
  const statistics = useLoad(['statistics', ch, range], load, { everyMs: REFRESH_MS });
  return (
    <Panel
      title="Deliveries over time"
      actions={<Choice label="Time range" values={Object.keys(ranges) as Range[]} chosen={range} onChoose={setRange} />}
    >
      <WhenLoaded of={statistics}>{(value) => <Charts statistics={value} />}</WhenLoaded>
    </Panel>
  );
}

const whole = (value: number): string => formatNumber(Math.round(value));

function Charts({ statistics }: { readonly statistics: Statistics }) {
  // Memoized, so that an unchanged response does not redraw the charts under the pointer.
  const charts = useMemo(
    () => ({ counts: deliveryCounts(statistics), latency: latency(statistics), failures: failures(statistics) }),
    [statistics],
  );
  return (
    <>
      {shownDestinations(statistics).length === 0 ? (
        <p class="soft">No deliveries in this period.</p>
      ) : (
        <div class="charts">
          <TimeChart title="Deliveries" chart={charts.counts} kind="stacked-bars" format={whole} />
          <TimeChart title="Delivery latency" chart={charts.latency} kind="log-lines" format={formatLatency} />
          <TimeChart title="Failed attempts" chart={charts.failures} kind="grouped-bars" format={whole} />
        </div>
      )}
      {!statistics.isComplete && (
        <p class="soft">There are too many deliveries to count. The charts show the most recent ones.</p>
      )}
    </>
  );
}
