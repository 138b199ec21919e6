import { useMemo, useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { usageChart } from '../../charts/usage-series.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { UsageTable } from './usage-table.tsx';

type Usage = Schema<'Usage'>;

const DAY_MS = 86_400_000;
const ranges = { '30 d': 30, '90 d': 90, '1 y': 365 } as const;
type Range = keyof typeof ranges;

const whole = (value: number): string => Math.round(value).toLocaleString('en');

export function Page() {
  const { organizationId: org } = useOrganization();
  const [range, setRange] = useState<Range>('30 d');
  const since = new Date(Date.now() - ranges[range] * DAY_MS).toISOString().slice(0, 10);
  const { value, error, reload } = useLoad(
    () => api.get('/organizations/{org}/usage', { params: { path: { org }, query: { since } } }),
    [org, since],
  );
  const csv = `/organizations/${org}/usage/csv?since=${since}&by=channel`;
  return (
    <>
      <PageHeader
        title="Usage"
        actions={
          <a class="button plain" href={csv} download={`usage-since-${since}.csv`}>
            Download CSV
          </a>
        }
      >
        What this organization was used for, by day in UTC. The CSV file has a row for each day and channel.
      </PageHeader>
      <Panel title="By day" actions={<RangeChoice chosen={range} onChoose={setRange} />}>
        <ErrorBox error={error} onRetry={() => void reload()} />
        {!value && !error && <Loading />}
        {value && <Charts usage={value} />}
      </Panel>
      <UsageTable org={org} since={since} />
    </>
  );
}

const ledgerSeries = [
  { of: 'events', label: 'Events' },
  { of: 'deliveries', label: 'Deliveries' },
  { of: 'attempts', label: 'Attempts' },
] as const;

const callSeries = [
  { of: 'sends', label: 'Messages sent' },
  { of: 'publishes', label: 'Posts published' },
] as const;

function Charts({ usage }: { readonly usage: Usage }) {
  const charts = useMemo(
    () => ({
      ledger: usageChart(usage, ledgerSeries),
      calls: usageChart(usage, callSeries),
    }),
    [usage],
  );
  if (usage.usage.length === 0) {
    return (
      <EmptyState title="Nothing counted in this period" command="channels usage --since 30d">
        Events, deliveries and calls are counted within a few minutes.
      </EmptyState>
    );
  }
  return (
    <>
      <div class="charts">
        <TimeChart
          title="Events and deliveries"
          unit="per day"
          chart={charts.ledger}
          format={whole}
          kind="grouped-bars"
        />
        <TimeChart
          title="Calls to the platform"
          unit="per day"
          chart={charts.calls}
          format={whole}
          kind="grouped-bars"
        />
      </div>
      <CountedUntil at={usage.countedUntil} />
    </>
  );
}

function CountedUntil({ at }: { readonly at: string | null }) {
  if (at === null) return <p class="soft">The first count is still running.</p>;
  return (
    <p class="soft">
      Counted until <RelativeTime at={at} />.
    </p>
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
