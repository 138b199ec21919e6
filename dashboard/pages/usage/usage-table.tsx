import { useMemo } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { useLoad } from '../../kit/calls/use-load.ts';
import { ErrorBox } from '../../kit/error-box.tsx';
import { type Column, Table } from '../../kit/lists/table.tsx';
import { Panel } from '../../kit/panel.tsx';
import { api } from '../../session/api.ts';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';

type Row = Schema<'Usage'>['usage'][number];

const counts = ['events', 'deliveries', 'attempts', 'sends', 'publishes'] as const;

/** Sums the months of each workspace. */
export function UsageTable({ org, since }: { readonly org: string; readonly since: string }) {
  const { value, error, reload } = useLoad(
    () =>
      api.get('/organizations/{org}/usage', {
        params: { path: { org }, query: { since, by: 'workspace', groupBy: 'month' } },
      }),
    [org, since],
  );
  const rows = useMemo(() => sumByWorkspace(value?.usage ?? []), [value]);
  if (!error && rows.length === 0) return null;
  return (
    <Panel title="By workspace">
      <ErrorBox error={error} onRetry={() => void reload()} />
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

const whole = (value: number): string => value.toLocaleString('en');

const columnsOf = (org: string): readonly Column<Row>[] => [
  { head: 'Workspace', cell: ({ workspaceId }) => workspaceId && <WorkspaceLink org={org} id={workspaceId} /> },
  { head: 'Events', align: 'end', cell: ({ events }) => whole(events) },
  { head: 'Deliveries', align: 'end', cell: ({ deliveries }) => whole(deliveries) },
  { head: 'Attempts', align: 'end', cell: ({ attempts }) => whole(attempts) },
  { head: 'Sends', align: 'end', cell: ({ sends }) => whole(sends) },
  { head: 'Publishes', align: 'end', cell: ({ publishes }) => whole(publishes) },
];
