import { useState } from 'preact/hooks';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { type Pages, usePages } from '../../kit/lists/use-pages.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { query } from '../../routes/router.ts';
import { loadAlertCount } from '../../session/alert-counts.ts';
import { api } from '../../session/api.ts';
import { currentWorkspace } from '../../session/current-workspace.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { AlertDialog } from './alert-dialog.tsx';
import { AlertFilters, filtersOf } from './alert-filters.tsx';
import { type Alert, severityTones, statusOf } from './alert-status.ts';
import { AlertWebhookDialog } from './alert-webhook-dialog.tsx';
import { PreferencesDialog } from './preferences-dialog.tsx';

const REFRESH_MS = 15_000;
const FIRST_PAGE = 50;

export function Page({ params: { ws } }: { readonly params: { readonly org: string; readonly ws?: string } }) {
  const { organizationId: org, name, role } = useOrganization();
  const [chosen, setChosen] = useState<Alert | null>(null);
  const [open, setOpen] = useState<'preferences' | 'webhook' | null>(null);
  const close = () => setOpen(null);
  const pages = useAlerts(org, ws);
  const title = ws === undefined ? name : (currentWorkspace.value?.workspace?.name ?? '');
  return (
    <>
      <PageHeader
        title="Alerts"
        windowTitle={`Alerts · ${title}`}
        actions={
          <>
            {ws === undefined && role === 'admin' && <Button onClick={() => setOpen('webhook')}>Alert webhook</Button>}
            <Button onClick={() => setOpen('preferences')}>Email preferences</Button>
          </>
        }
      >
        Failing destinations, lost channels, failed containers and replays. An alert ends by itself when its cause ends.
      </PageHeader>
      <AlertFilters />
      <AlertTable pages={pages} onChoose={setChosen} />
      {open === 'webhook' && <AlertWebhookDialog org={org} onClose={close} />}
      {open === 'preferences' && (
        <PreferencesDialog organizationId={org} workspaceId={ws ?? null} place={title} onClose={close} />
      )}
      {chosen && (
        <AlertDialog
          alert={chosen}
          onChanged={async () => {
            await Promise.all([pages.reload(), loadAlertCount(org, ws)]);
          }}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}

interface AlertTableProps {
  readonly pages: Pages<Alert>;
  readonly onChoose: (alert: Alert) => void;
}

function AlertTable({ pages, onChoose }: AlertTableProps) {
  return (
    <List
      pages={pages}
      caption="Alerts"
      columns={columnsFor(onChoose)}
      keyOf={({ alertId }) => alertId}
      one="alert"
      many="alerts"
      empty={
        <EmptyState title="No alerts" command="channels alerts list --status open">
          Nothing needs your attention.
        </EmptyState>
      }
    />
  );
}

function useAlerts(org: string, ws: string | undefined) {
  const filters = filtersOf(query.value);
  const pages = usePages(
    async (cursor) => {
      const page = { ...(ws !== undefined && { workspaceId: ws }), ...(cursor !== undefined && { cursor }) };
      const params = { path: { org }, query: { ...filtersOf(query.peek()), ...page } };
      const { alerts, nextCursor } = await api.get('/organizations/{org}/alerts', { params });
      return { items: alerts, nextCursor };
    },
    [org, ws, JSON.stringify(filters)],
  );
  useRefresh(() => void pages.reload(), (pages.items?.length ?? 0) <= FIRST_PAGE ? REFRESH_MS : null);
  return pages;
}

const columnsFor = (onChoose: (alert: Alert) => void): readonly Column<Alert>[] => [
  { head: 'Alert', cell: ({ title }) => title },
  { head: 'What happened', isWide: true, cell: ({ description }) => description },
  { head: 'Severity', cell: ({ severity }) => <Badge tone={severityTones[severity]}>{severity}</Badge> },
  { head: 'Status', cell: (alert) => statusOf(alert) },
  { head: 'Times', align: 'end', cell: ({ occurrences }) => formatNumber(occurrences) },
  { head: 'Opened', cell: ({ openedAt }) => <RelativeTime at={openedAt} /> },
  {
    head: 'Actions',
    isHeadHidden: true,
    cell: (alert) => (
      <Button small aria-label={`Details of ${alert.title}: ${alert.subject.label}`} onClick={() => onChoose(alert)}>
        Details
      </Button>
    ),
  },
];
