import type { Schema } from '../../../client/create-client.ts';
import { auditActions } from '../../../contract/audit-actions.ts';
import { useLoad, usePages } from '../../kit/calls.ts';
import { parseLocalTime } from '../../kit/format/format.ts';
import { TextField, useFields } from '../../kit/forms.tsx';
import { ClearFilters, type Column, ListPage } from '../../kit/lists.tsx';
import type { Choice } from '../../kit/menus/find-choices.ts';
import { Combobox } from '../../kit/menus/combobox.tsx';
import { Button, CopyableId, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { query, setQuery } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../../session/workspace-link.tsx';

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
      filters={<Filters key={`${query.value.get('since')} ${query.value.get('until')}`} org={org} />}
      pages={pages}
      columns={columns(org)}
      keyOf={({ at, action, targetId, requestId }) => `${at} ${action} ${targetId} ${requestId}`}
      one="entry"
      many="entries"
      empty={
        <EmptyState
          title="No matching entries"
          command={`curl "${location.origin}/organizations/${org}/audit-entries" -H "Authorization: Bearer $SERVICE_API_KEY"`}
        >
          Widen the time range or clear a filter.
        </EmptyState>
      }
    />
  );
}

const names = ['action', 'actor', 'since', 'until'] as const;

/** Filters stay in the URL, so that users can share them. */
function Filters({ org }: { readonly org: string }) {
  const given = (name: (typeof names)[number]) => query.value.get(name) ?? '';
  const actors = useActors(org);
  const { fields, bind } = useFields({
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
        setQuery(fields);
      }}
    >
      <Combobox
        label="Action"
        placeholder="Any"
        options={auditActions.map((action) => ({ value: action, label: action }))}
        value={given('action')}
        onValue={(action) => setQuery({ ...fields, action })}
      />
      <Combobox
        label="Actor"
        placeholder="Anyone"
        options={withGiven(actors, given('actor'))}
        value={given('actor')}
        onValue={(actor) => setQuery({ ...fields, actor })}
      />
      <TextField label="From" type="datetime-local" {...bind('since')} />
      <TextField label="Until" type="datetime-local" {...bind('until')} />
      <Button type="submit">Filter</Button>
      <ClearFilters names={names} />
    </form>
  );
}

const ACTORS = 100;

/** The people, keys and agents of the organization. Others are found by a link in their entries. */
function useActors(org: string): readonly Choice[] {
  const params = { path: { org }, query: { limit: ACTORS } };
  const { value } = useLoad(
    ['actors', org],
    async () => {
      const [{ members }, { keys }, { credentials }] = await Promise.all([
        api.get('/organizations/{org}/members', { params }),
        api.get('/organizations/{org}/keys', { params }),
        api.get('/agent/credentials', { params: { query: { limit: ACTORS } } }),
      ]);
      return [
        ...members.map(({ userId, email }) => ({ value: userId, label: email })),
        ...keys.map(({ keyId, name }) => ({ value: keyId, label: name, hint: `API key ${keyId}` })),
        ...credentials
          .filter((one) => one.organizationPublicId === org)
          .map(({ credentialId }) => ({ value: credentialId, label: credentialId, hint: 'agent' })),
      ];
    },
    { isOnce: true },
  );
  return value ?? [];
}

/** Also offers the actor of the address, who may have left. */
function withGiven(actors: readonly Choice[], id: string): readonly Choice[] {
  return id === '' || actors.some(({ value }) => value === id) ? actors : [...actors, { value: id, label: id }];
}

function filtersOf(params: URLSearchParams) {
  const action = params.get('action');
  const actor = params.get('actor');
  const since = parseLocalTime(params.get('since'));
  const until = parseLocalTime(params.get('until'));
  return { ...(action && { action }), ...(actor && { actor }), ...(since && { since }), ...(until && { until }) };
}

const columns = (org: string): readonly Column<Entry>[] => [
  { head: 'Time', cell: ({ at }) => <RelativeTime at={at} /> },
  { head: 'Action', cell: ({ action }) => <code class="nowrap">{action}</code> },
  {
    head: 'Actor',
    cell: ({ actor: { type, id, name } }) => (
      <span class="long">
        {actorLabels[type]}{' '}
        <a href={`?actor=${encodeURIComponent(id)}`} title={id}>
          {name ?? <code>{id}</code>}
        </a>
      </span>
    ),
  },
  {
    head: 'Target',
    cell: ({ targetId, targetName, workspaceId }) => (
      <div>
        <Target id={targetId} name={targetName} />
        {workspaceId !== null && (
          <small class="line">
            in <WorkspaceLink org={org} id={workspaceId} />
          </small>
        )}
      </div>
    ),
  },
  {
    head: 'Details',
    cell: ({ reason }) =>
      reason && (
        <span title={reason} class="clipped">
          {reason}
        </span>
      ),
  },
  {
    head: 'Request',
    cell: ({ requestId, callerRequestId, clientAddress }) => (
      <span class="request">
        {requestId !== null && <CopyableId id={requestId} what="request ID" />}
        <small>
          {clientAddress}
          {callerRequestId !== null && <span title="The caller's own id"> · {callerRequestId}</span>}
        </small>
      </span>
    ),
  },
];

function Target({ id, name }: { readonly id: string | null; readonly name: string | null }) {
  if (id === null) return null;
  return name === null ? (
    <code>{id}</code>
  ) : (
    <span title={id} class="long">
      {name}
    </span>
  );
}

const actorLabels: Readonly<Record<Entry['actor']['type'], string>> = {
  user: 'user',
  api_key: 'API key',
  agent: 'agent',
  staff: 'staff',
  portal: 'portal',
  system: 'system',
};
