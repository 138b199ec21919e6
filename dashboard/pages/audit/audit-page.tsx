import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { parseLocalTime } from '../../kit/format/format.ts';
import { TextField, useFields } from '../../kit/forms.tsx';
import { ClearFilters, type Column, ListPage } from '../../kit/lists.tsx';
import { Button, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { query, setQuery } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';

type Entry = Schema<'AuditEntry'>;

export function Page() {
  const { organizationId: org } = useOrganization();
  const search = query.value.toString();
  const pages = usePages(['entries', org, search], (page) =>
    api.get('/organizations/{org}/audit-entries', {
      params: { path: { org }, query: { ...filtersOf(query.peek()), ...page } },
    }),
  );
  return (
    <ListPage
      title="Audit log"
      about="Security-relevant actions in this organization, newest first: sign-ins, membership changes, keys, onboarding links, tokens, and all staff actions. Sends and publications are in each channel's outbound calls."
      filters={<Filters key={search} />}
      pages={pages}
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
  );
}

const names = ['action', 'actor', 'since', 'until'] as const;

/** Filters stay in the URL, so that users can share them. */
function Filters() {
  const given = (name: (typeof names)[number]) => query.value.get(name) ?? '';
  const { fields, bind } = useFields({
    action: given('action'),
    actor: given('actor'),
    since: given('since'),
    until: given('until'),
  });
  return (
    <form
      class="filters"
      role="search"
      aria-label="Audit log"
      onSubmit={(event) => {
        event.preventDefault();
        setQuery(Object.fromEntries(names.map((name) => [name, fields[name].trim()])));
      }}
    >
      <TextField label="Action" type="search" maxLength={100} placeholder="apiKey.created" {...bind('action')} />
      <TextField label="Actor ID" type="search" maxLength={200} placeholder="usr_…" {...bind('actor')} />
      <TextField label="From" type="datetime-local" {...bind('since')} />
      <TextField label="Until" type="datetime-local" {...bind('until')} />
      <Button type="submit">Filter</Button>
      <ClearFilters names={names} />
    </form>
  );
}

function filtersOf(params: URLSearchParams) {
  const action = params.get('action');
  const actor = params.get('actor');
  const since = parseLocalTime(params.get('since'));
  const until = parseLocalTime(params.get('until'));
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
