import { EmptyState } from '../../kit/empty-state.tsx';
import { List } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import type { Schema } from '../../../client/create-client.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { query } from '../../routes/router.ts';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { parseLocalTime } from './parse-local-time.ts';

type Entry = Schema<'AuditEntry'>;

export function Page() {
  const { organizationId: org } = useOrganization();
  const { search } = new URL(`?${query.value}`, location.href);
  const pages = usePages(
    async (cursor) => {
      const params = { path: { org }, query: { ...filtersOf(query.peek()), ...(cursor !== undefined && { cursor }) } };
      const { entries, nextCursor } = await api.get('/organizations/{org}/audit-entries', { params });
      return { items: entries, nextCursor };
    },
    [org, search],
  );
  return (
    <>
      <PageHeader title="Audit log">
        Security-relevant actions in this organization, newest first: sign-ins, membership changes, keys, onboarding
        links, tokens, and all staff actions. Sends and publications are in each channel's outbound calls.
      </PageHeader>
      <AuditFilters key={search} />
      <List
        pages={pages}
        caption="Audit log"
        columns={columns(org)}
        keyOf={({ at, action, targetId, requestId }) => `${at} ${action} ${targetId} ${requestId}`}
        one="entry"
        many="entries"
        empty={
          <EmptyState
            title="No matching entries"
            command={`curl "${location.origin}/organizations/${org}/audit-entries" -H "Authorization: Bearer $CHANNELS_API_KEY"`}
          >
            Widen the time range or clear a filter.
          </EmptyState>
        }
      />
    </>
  );
}

function filtersOf(params: URLSearchParams) {
  const [action, actor] = [params.get('action'), params.get('actor')];
  const [since, until] = [parseLocalTime(params.get('since')), parseLocalTime(params.get('until'))];
  return { ...(action && { action }), ...(actor && { actor }), ...(since && { since }), ...(until && { until }) };
}

const columns = (org: string): readonly Column<Entry>[] => [
  { head: 'Action', cell: ({ action }) => <code>{action}</code> },
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
  {
    head: 'Actor',
    cell: ({ actor: { type, id, name } }) => (
      <span>
        {actorLabels[type]}{' '}
        <a href={`?actor=${encodeURIComponent(id)}`} title={id}>
          {name ?? <code>{id}</code>}
        </a>
      </span>
    ),
  },
  { head: 'Target', cell: ({ targetId }) => targetId && <code>{targetId}</code> },
  { head: 'Workspace', cell: ({ workspaceId }) => workspaceId && <WorkspaceLink org={org} id={workspaceId} /> },
  { head: 'Reason', cell: ({ reason }) => reason },
  {
    head: 'Request',
    cell: ({ requestId, callerRequestId }) => (
      <>
        <code>{requestId}</code>{' '}
        {callerRequestId !== null && <span title="The caller's own id">{callerRequestId}</span>}
      </>
    ),
  },
  { head: 'IP address', cell: ({ clientAddress }) => clientAddress },
];

const actorLabels: Readonly<Record<Entry['actor']['type'], string>> = {
  user: 'user',
  api_key: 'API key',
  agent: 'agent',
  staff: 'staff',
  portal: 'portal',
  system: 'system',
};
