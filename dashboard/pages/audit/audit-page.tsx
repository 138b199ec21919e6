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
import { usePersonNames } from '../people/person-names.ts';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { instantOfLocal } from './local-time.ts';

type Entry = Schema<'AuditEntry'>;

/** What was done in the organization that matters to its security, by whom and from where. */
export function Page() {
  const { organizationId: org } = useOrganization();
  const people = usePersonNames(org);
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
        Who did what in this organization, newest first: sign-ins, people, keys, links, tokens, and every act of staff.
      </PageHeader>
      <AuditFilters key={search} />
      <List
        pages={pages}
        caption="Audit log"
        columns={columns(org, people)}
        keyOf={({ at, action, targetId, requestId }) => `${at} ${action} ${targetId} ${requestId}`}
        one="entry"
        many="entries"
        empty={
          <EmptyState
            title="No entry fits"
            command={`curl "${location.origin}/organizations/${org}/audit-entries" -H "Authorization: Bearer $CHANNELS_API_KEY"`}
          >
            Widen the span of time, or take a filter away.
          </EmptyState>
        }
      />
    </>
  );
}

function filtersOf(given: URLSearchParams) {
  const [action, actor] = [given.get('action'), given.get('actor')];
  const [since, until] = [instantOfLocal(given.get('since')), instantOfLocal(given.get('until'))];
  return { ...(action && { action }), ...(actor && { actor }), ...(since && { since }), ...(until && { until }) };
}

const columns = (org: string, people: ReadonlyMap<string, string>): readonly Column<Entry>[] => [
  { head: 'Action', cell: ({ action }) => <code>{action}</code> },
  { head: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
  {
    head: 'Who',
    cell: ({ actor: { type, id } }) => (
      <span>
        {words[type]}{' '}
        <a href={`?actor=${encodeURIComponent(id)}`} title={id}>
          {people.get(id) ?? <code>{id}</code>}
        </a>
      </span>
    ),
  },
  { head: 'What', cell: ({ targetId }) => targetId && <code>{targetId}</code> },
  { head: 'Workspace', cell: ({ workspaceId }) => workspaceId && <WorkspaceLink org={org} id={workspaceId} /> },
  { head: 'Reason', cell: ({ reason }) => reason },
  { head: 'From', cell: ({ clientAddress }) => clientAddress },
];

const words: Readonly<Record<Entry['actor']['type'], string>> = {
  user: 'person',
  api_key: 'key',
  agent: 'agent',
  staff: 'staff',
  system: 'service',
};
