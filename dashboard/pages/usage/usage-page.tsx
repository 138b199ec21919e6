import { useMemo, useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import type { Chart } from '../../charts/statistics-series.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { useLoad } from '../../kit/calls.ts';
import { formatNumber } from '../../kit/format/format.ts';
import { type Column, Table } from '../../kit/lists.tsx';
import { PageHeader } from '../../kit/page.tsx';
import { Choice, EmptyState, ErrorBox, Panel, RelativeTime, WhenLoaded } from '../../kit/parts.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../../session/workspace-link.tsx';

type Usage = Schema<'Usage'>;
type Row = Usage['usage'][number];

const DAY_MS = 86_400_000;
/** A year has a bar for each month: 365 bars would be too thin. */
const ranges = {
  '30 d': { days: 30, step: 'day' },
  '90 d': { days: 90, step: 'day' },
  '1 y': { days: 365, step: 'month' },
} as const;
type Range = keyof typeof ranges;
type Step = (typeof ranges)[Range]['step'];

const whole = (value: number): string => formatNumber(Math.round(value));

export function Page() {
  const { organizationId: org } = useOrganization();
  const [range, setRange] = useState<Range>('30 d');
  const { days, step } = ranges[range];
  const since = new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  const usage = useLoad(['usage', org, since, step], () =>
    api.get('/organizations/{org}/usage', { params: { path: { org }, query: { since, groupBy: step } } }),
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
        title={step === 'day' ? 'By day' : 'By month'}
        actions={
          <Choice label="Time range" values={Object.keys(ranges) as Range[]} chosen={range} onChoose={setRange} />
        }
      >
        <WhenLoaded of={usage}>{(value) => <Charts usage={value} step={step} />}</WhenLoaded>
      </Panel>
      <UsageTable org={org} since={since} />
    </>
  );
}

const chartTitles = [
  ['events', 'Events'],
  ['deliveries', 'Deliveries'],
  ['attempts', 'Attempts'],
  ['sends', 'Messages sent'],
  ['publishes', 'Posts published'],
] as const;

interface ChartsProps {
  readonly usage: Usage;
  readonly step: Step;
}

function Charts({ usage, step }: ChartsProps) {
  const charts = useMemo(
    () => chartTitles.map(([count, title]) => ({ title, chart: usageChart(usage, { count, title, step }) })),
    [usage, step],
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
        {charts.map(({ title, chart }) => (
          <TimeChart key={title} title={title} unit={`per ${step}`} chart={chart} format={whole} kind="stacked-bars" />
        ))}
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
  { head: 'Messages sent', align: 'end', cell: ({ sends }) => whole(sends) },
  { head: 'Posts published', align: 'end', cell: ({ publishes }) => whole(publishes) },
];

interface CountedChart {
  readonly count: (typeof counts)[number];
  readonly title: string;
  readonly step: Step;
}

/** One value per day or month; those without a row count 0. */
function usageChart({ since, until, usage }: Usage, { count, title, step }: CountedChart): Chart {
  const times = stepsBetween(Date.parse(since), Date.parse(until), step).map((ms) => ms / 1000);
  const byTime = new Map(usage.map((row) => [Date.parse(row.day) / 1000, row[count]]));
  return { times, series: [{ label: title, values: times.map((time) => byTime.get(time) ?? 0), color: 1 }] };
}

/** In UTC. A month begins before the span if the span begins within it. */
function stepsBetween(sinceMs: number, untilMs: number, step: Step): readonly number[] {
  const steps: number[] = [];
  const at = new Date(sinceMs);
  if (step === 'month') at.setUTCDate(1);
  while (at.getTime() < untilMs) {
    steps.push(at.getTime());
    if (step === 'month') at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setUTCDate(at.getUTCDate() + 1);
  }
  return steps;
}
