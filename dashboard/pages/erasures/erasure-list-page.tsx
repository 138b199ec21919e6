import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { formatNumber } from '../../kit/format/pluralize.ts';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../organizations/workspace-link.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';

type Erasure = Schema<'Erasure'>;

const REFRESH_MS = 3_000;

export function Page() {
  const { organizationId: org } = useOrganization();
  const [isAsking, setAsking] = useState(false);
  const pages = usePages(
    async (cursor) => {
      const params = { path: { org }, query: { ...(cursor !== undefined && { cursor }) } };
      const { erasures, nextCursor } = await api.get('/organizations/{org}/erasures', { params });
      return { items: erasures, nextCursor };
    },
    [org],
  );
  const isRunning = pages.items?.some(({ status }) => status === 'erasing') ?? false;
  useRefresh(() => void pages.reload(), isRunning ? REFRESH_MS : null);
  const create = (
    <Button tone="danger" onClick={() => setAsking(true)}>
      Erase data
    </Button>
  );
  return (
    <>
      <PrivacyHeader org={org}>{create}</PrivacyHeader>
      <List
        pages={pages}
        caption="Erasures"
        columns={columnsOf(org)}
        keyOf={({ erasureId }) => erasureId}
        one="erasure"
        many="erasures"
        empty={
          <EmptyState
            title="Nothing was erased yet"
            action={create}
            command='channels erasures create --sender 15551234567 --reason "ticket 4711" --dry-run'
          >
            Bodies, senders and responses are emptied, and waiting deliveries are cancelled.
          </EmptyState>
        }
      />
      {isAsking && <EraseDialog org={org} onStarted={() => void pages.reload()} onClose={() => setAsking(false)} />}
    </>
  );
}

function PrivacyHeader({ org, children }: { readonly org: string; readonly children: ComponentChildren }) {
  const [isExporting, setExporting] = useState(false);
  const actions = (
    <>
      <Button onClick={() => setExporting(true)}>Export data</Button>
      {children}
    </>
  );
  return (
    <>
      <PageHeader title="Privacy" actions={actions}>
        Export what is stored about a person. Erase the messages of a person, one event or a workspace before their
        retention ends. Counts and states stay.
      </PageHeader>
      {isExporting && <ExportDialog org={org} onClose={() => setExporting(false)} />}
    </>
  );
}

const labels: Readonly<Record<Erasure['kind'], string>> = { event: 'Event', sender: 'Sender', workspace: 'Workspace' };

const columnsOf = (org: string): readonly Column<Erasure>[] => [
  {
    head: 'Erasure',
    cell: ({ erasureId, kind, eventId }) => (
      <>
        {labels[kind]} <code>{eventId ?? erasureId}</code>
      </>
    ),
  },
  { head: 'Workspace', cell: ({ workspaceId }) => workspaceId && <WorkspaceLink org={org} id={workspaceId} /> },
  {
    head: 'Status',
    cell: ({ status }) => <Badge tone={status === 'completed' ? 'good' : 'info'}>{status}</Badge>,
  },
  { head: 'Events', align: 'end', cell: ({ erased }) => formatNumber(erased.events) },
  { head: 'Cancelled', align: 'end', cell: ({ erased }) => formatNumber(erased.cancelled) },
  { head: 'Reason', cell: ({ reason }) => reason },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
