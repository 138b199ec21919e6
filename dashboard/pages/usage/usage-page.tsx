import { useMemo, useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import type { Chart, SeriesColor } from '../../charts/statistics-series.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { useLoad } from '../../kit/calls.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { type Column, Table } from '../../kit/lists.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { Choice, EmptyState, ErrorBox, Panel, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';

type Usage = Schema<'Usage'>;
type Row = Usage['usage'][number];

const DAY_MS = 86_400_000;
const ranges = { '30 d': 30, '90 d': 90, '1 y': 365 } as const;
type Range = keyof typeof ranges;

const whole = (value: number): string => formatNumber(Math.round(value));

export function Page() {
  const { organizationId: org } = useOrganization();
  const [range, setRange] = useState<Range>('30 d');
  const since = new Date(Date.now() - ranges[range] * DAY_MS).toISOString().slice(0, 10);
  const usage = useLoad(['usage', org, since], () =>
    api.get('/organizations/{org}/usage', { params: { path: { org }, query: { since } } }),
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
      <Panel
        title="By day"
        actions={
          <Choice label="Time range" values={Object.keys(ranges) as Range[]} chosen={range} onChoose={setRange} />
        }
      >
        <WhenLoaded of={usage}>{(value) => <Charts usage={value} />}</WhenLoaded>
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

/** Sums the months of each workspace. */
function UsageTable({ org, since }: { readonly org: string; readonly since: string }) {
  const { value, error, reload } = useLoad(['usage-by-workspace', org, since], () =>
    api.get('/organizations/{org}/usage', {
      params: { path: { org }, query: { since, by: 'workspace', groupBy: 'month' } },
    }),
  );
  const rows = useMemo(() => sumByWorkspace(value?.usage ?? []), [value]);
  if (!error && rows.length === 0) return null;
  return (
    <Panel title="By workspace">
      <ErrorBox error={error} onRetry={reload} />
      {value?.isComplete === false && <p>The newest months are missing here. Download the CSV file for all of them.</p>}
      {rows.length > 0 && (
        <Table
          caption="Usage by workspace"
          columns={columnsOf(org)}
          rows={rows}
          keyOf={({ workspaceId }) => workspaceId ?? ''}
        />
      )}
    </Panel>
  );
}

const counts = ['events', 'deliveries', 'attempts', 'sends', 'publishes'] as const;

function sumByWorkspace(usage: readonly Row[]): Row[] {
  const sums = new Map<string | null, Row>();
  for (const row of usage) {
    const sum = sums.get(row.workspaceId);
    sums.set(
      row.workspaceId,
      sum ? { ...sum, ...Object.fromEntries(counts.map((count) => [count, sum[count] + row[count]])) } : row,
    );
  }
  return [...sums.values()].toSorted((one, other) => other.events - one.events);
}

const columnsOf = (org: string): readonly Column<Row>[] => [
  { head: 'Workspace', cell: ({ workspaceId }) => workspaceId && <WorkspaceLink org={org} id={workspaceId} /> },
  { head: 'Events', align: 'end', cell: ({ events }) => whole(events) },
  { head: 'Deliveries', align: 'end', cell: ({ deliveries }) => whole(deliveries) },
  { head: 'Attempts', align: 'end', cell: ({ attempts }) => whole(attempts) },
  { head: 'Sends', align: 'end', cell: ({ sends }) => whole(sends) },
  { head: 'Publishes', align: 'end', cell: ({ publishes }) => whole(publishes) },
];

type Count = 'events' | 'deliveries' | 'attempts' | 'sends' | 'publishes';

/** One value per day; days without a row count 0. */
function usageChart({ since, until, usage }: Usage, counts: readonly { of: Count; label: string }[]): Chart {
  const first = Date.parse(since) / 1000;
  const length = Math.max(1, Math.round((Date.parse(until) / 1000 - first) / (DAY_MS / 1000)));
  const times = Array.from({ length }, (_, position) => first + position * (DAY_MS / 1000));
  const byTime = new Map(usage.map((row) => [Date.parse(row.day) / 1000, row]));
  const series = counts.map(({ of, label }, index) => ({
    label,
    values: times.map((time) => byTime.get(time)?.[of] ?? 0),
    color: ((index % 5) + 1) as SeriesColor,
  }));
  return { times, series };
}
