import { alertKindNames, alertKinds, alertSeverities, alertStatuses } from '../../../contract/alerts/kinds.ts';
import { useLoad, usePages } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { formatNumber } from '../../kit/format/format.ts';
import { ClearFilters, type Column, ListPage, QuerySelect } from '../../kit/lists.tsx';
import { Badge, Button, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { query } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { currentWorkspace } from '../../session/current-workspace.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { AllWorkspacesTabs } from '../organizations/all-workspaces-tabs.tsx';
import { AlertDialog, PreferencesDialog } from './alert-dialogs.tsx';
import { type Alert, severityTones, statusOf } from './alert-status.ts';
import { openAlertWebhook } from './alert-webhook-dialog.tsx';

const REFRESH_MS = 15_000;

export function Page({ params: { ws } }: { readonly params: { readonly org: string; readonly ws?: string } }) {
  const { organizationId: org, name, role } = useOrganization();
  const dialog = useDialog();
  const filters = filtersOf(query.value);
  const pages = usePages(
    ['alerts', org, ws, filters],
    (page) =>
      api.get('/organizations/{org}/alerts', {
        params: { path: { org }, query: { ...filters, ...(ws !== undefined && { workspaceId: ws }), ...page } },
      }),
    (_, isFirstPage) => isFirstPage && REFRESH_MS,
  );
  const place = ws === undefined ? name : (currentWorkspace.value?.workspace?.name ?? '');
  const openPreferences = () =>
    dialog.open((close) => (
      <PreferencesDialog organizationId={org} workspaceId={ws ?? null} place={place} onClose={close} />
    ));
  return (
    <>
      <ListPage
        title="Alerts"
        windowTitle={`Alerts · ${place}`}
        about="Failing destinations, lost channels, failed containers and replays. An alert ends by itself when its cause ends."
        actions={
          <>
            {ws === undefined && role === 'admin' && (
              <Button onClick={() => openAlertWebhook(dialog.open, org)}>Alert webhook</Button>
            )}
            <Button onClick={openPreferences}>Email preferences</Button>
          </>
        }
        filters={
          <>
            <AllWorkspacesTabs page="alerts" />
            <Filters />
          </>
        }
        pages={pages}
        columns={columnsFor((alert) => dialog.open((close) => <AlertDialog alert={alert} onClose={close} />))}
        keyOf={({ alertId }) => alertId}
        one="alert"
        empty={<NoAlerts org={org} ws={ws} />}
      />
      {dialog.shown}
    </>
  );
}

/** Alerts come later than the overview's trouble, so that a short failure alerts no one. */
function NoAlerts({ org, ws }: { readonly org: string; readonly ws: string | undefined }) {
  const load = () => {
    const params = { path: { org }, query: ws === undefined ? {} : { workspaceId: ws } };
    return api.get('/organizations/{org}/overview', { params });
  };
  const { value } = useLoad(['overview', org, ws], load, { everyMs: REFRESH_MS });
  const count = value?.trouble.length ?? 0;
  const overview = ws === undefined ? organizationPath(org, 'overview') : workspacePath(org, ws);
  const isFiltered = filterNames.some((name) => query.value.get(name));
  return (
    <EmptyState title="No alerts" command="channels alerts list --status open">
      {isFiltered ? 'No alert matches these filters.' : 'No alert is open.'}
      {count > 0 && (
        <>
          {' '}
          {count === 1 ? '1 destination needs' : `${count} destinations need`} attention: see the{' '}
          <a href={overview}>overview</a>. A failing destination becomes an alert after ten minutes.
        </>
      )}
    </EmptyState>
  );
}

const filterNames = ['status', 'severity', 'kind'] as const;
const filterStatuses = [
  ['resolved', 'Resolved'],
  ['all', 'All'],
] as const;

/** Without a status, the list has open alerts only. */
function Filters() {
  const kinds = alertKindNames.map((one) => [one, alertKinds[one].title] as const);
  return (
    <div class="filter-bar" role="search" aria-label="Alerts">
      <QuerySelect name="status" label="Status" any="Open" values={filterStatuses} />
      <QuerySelect name="severity" label="Severity" any="All" values={alertSeverities} />
      <QuerySelect name="kind" label="Kind" any="All" values={kinds} />
      <ClearFilters names={filterNames} />
    </div>
  );
}

/** Ignores unknown values, which come from an edited address. */
function filtersOf(params: URLSearchParams) {
  const asked = params.get('status');
  const status = asked === 'all' ? undefined : (alertStatuses.find((one) => one === asked) ?? 'open');
  const severity = alertSeverities.find((one) => one === params.get('severity'));
  const kind = alertKindNames.find((one) => one === params.get('kind'));
  return { ...(status && { status }), ...(severity && { severity }), ...(kind && { kind }) };
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
