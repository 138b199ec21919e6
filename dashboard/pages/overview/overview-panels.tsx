import { useMemo } from 'preact/hooks';
import { countsChart } from '../../charts/statistics-series.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { Panel } from '../../kit/panel.tsx';
import { FirstSteps } from './first-steps.tsx';
import { StatTiles } from './stat-tiles.tsx';
import { TroublePanel } from './trouble-panel.tsx';
import { useOverview } from './use-overview.ts';

interface OverviewPanelsProps {
  readonly organizationId: string;
  /** Undefined for the whole organization. */
  readonly workspaceId: string | undefined;
}

/** Trouble comes first, then the last 24 hours; first steps as long as nothing has arrived. */
export function OverviewPanels({ organizationId, workspaceId }: OverviewPanelsProps) {
  const { value, error, reload } = useOverview(organizationId, workspaceId);
  const chart = useMemo(() => value && countsChart(value.buckets), [value]);
  if (!value || !chart) {
    return error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Skeleton />;
  }
  const isEmpty = value.current.deliveries + value.previous.deliveries === 0;
  return (
    <>
      <ErrorBox error={error} onRetry={() => void reload()} />
      <TroublePanel {...{ organizationId, workspaceId }} trouble={value.trouble} onChanged={reload} />
      {isEmpty && <FirstSteps {...{ organizationId, workspaceId }} channels={value.channels} />}
      <Panel title="Last 24 hours">
        <StatTiles overview={value} organizationId={organizationId} workspaceId={workspaceId} />
        {isEmpty ? (
          <p class="soft">No deliveries in the last two days.</p>
        ) : (
          <TimeChart title="Deliveries by hour" chart={chart} kind="stacked-bars" format={formatNumber} />
        )}
        {!value.current.isComplete && (
          <p class="soft">There are too many deliveries to count. The numbers cover the newest of each channel.</p>
        )}
      </Panel>
    </>
  );
}

/** Reserves the space of the tiles and the chart. */
function Skeleton() {
  return (
    <div class="overview-skeleton" role="status">
      <span class="hidden">Loading…</span>
    </div>
  );
}
