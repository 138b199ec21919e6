import { useEffect, useMemo, useState } from 'preact/hooks';
import { ErrorBox } from '../kit/error-box.tsx';
import { Panel } from '../kit/panel.tsx';
import { Loading } from '../kit/lists/list.tsx';
import { useLoad } from '../kit/calls/use-load.ts';
import { api } from '../session/api.ts';
import { formatLatency } from './format-latency.ts';
import { deliveryCounts, failures, latency, shownDestinations } from './statistics-series.ts';
import { TimeChart } from './time-chart.tsx';

const ranges = { '1 h': 3_600_000, '24 h': 86_400_000, '7 d': 604_800_000 } as const;
type Range = keyof typeof ranges;
const REFRESH_MS = 15_000;

const whole = (value: number): string => Math.round(value).toLocaleString('en');

export function ChannelCharts({ channelId }: { readonly channelId: string }) {
  const [range, setRange] = useState<Range>('1 h');
  const { value, error, reload } = useLoad(async () => {
    const since = new Date(Date.now() - ranges[range]).toISOString();
    return api.get('/channels/{ch}/statistics', { params: { path: { ch: channelId }, query: { since } } });
  }, [channelId, range]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload]);

  // Memoized, so that an unchanged response does not redraw the charts under the pointer.
  const data = useMemo(() => {
    return value && { counts: deliveryCounts(value), latency: latency(value), failures: failures(value) };
  }, [value]);

  return (
    <Panel title="Deliveries over time" actions={<RangeChoice chosen={range} onChoose={setRange} />}>
      <ErrorBox error={error} onRetry={() => void reload()} />
      {!value && !error && <Loading />}
      {value && shownDestinations(value).length === 0 && <p class="soft">No deliveries in this period.</p>}
      {data && value && shownDestinations(value).length > 0 && (
        <div class="charts">
          <TimeChart title="Deliveries" chart={data.counts} kind="stacked-bars" format={whole} />
          <TimeChart title="Delivery latency" chart={data.latency} kind="log-lines" format={formatLatency} />
          <TimeChart title="Failed attempts" chart={data.failures} kind="grouped-bars" format={whole} />
        </div>
      )}
      {value && !value.isComplete && (
        <p class="soft">There are too many deliveries to count. The charts show the most recent ones.</p>
      )}
    </Panel>
  );
}

function RangeChoice({ chosen, onChoose }: { readonly chosen: Range; readonly onChoose: (range: Range) => void }) {
  return (
    <div class="choice" role="group" aria-label="Time range">
      {(Object.keys(ranges) as Range[]).map((range) => (
        <button key={range} type="button" aria-pressed={range === chosen} onClick={() => onChoose(range)}>
          {range}
        </button>
      ))}
    </div>
  );
}
