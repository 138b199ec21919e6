import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { formatNumber } from '../../kit/format/format.ts';
import { type Column, ListPage } from '../../kit/lists.tsx';
import { Badge, Button, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { api } from '../../session/api.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { WorkspaceLink } from '../../session/workspace-link.tsx';
import { EraseDialog, ExportDialog } from './erasure-dialogs.tsx';

type Erasure = Schema<'Erasure'>;

const REFRESH_MS = 3_000;

export function Page() {
  const { organizationId: org } = useOrganization();
  const dialog = useDialog();
  const pages = usePages(
    ['erasures', org],
    (query) => api.get('/organizations/{org}/erasures', { params: { path: { org }, query } }),
    (erasures) => erasures.some(({ status }) => status === 'erasing') && REFRESH_MS,
  );
  const erase = (
    <Button tone="danger" onClick={() => dialog.open((close) => <EraseDialog org={org} onClose={close} />)}>
      Erase data
    </Button>
  );
  return (
    <>
      <ListPage
        title="Privacy"
        about="Export what is stored about a person. Erase the messages of a person, one event or a workspace before their retention ends. Counts and states stay."
        actions={
          <>
            <Button onClick={() => dialog.open((close) => <ExportDialog org={org} onClose={close} />)}>
              Export data
            </Button>
            {erase}
          </>
        }
        pages={pages}
        caption="Erasures"
        columns={columnsOf(org)}
        keyOf={({ erasureId }) => erasureId}
        one="erasure"
        empty={
          <EmptyState
            title="Nothing was erased yet"
            action={erase}
            command='channels erasures create --sender 15551234567 --reason "ticket 4711" --dry-run'
          >
            Bodies, senders and responses are emptied, and waiting deliveries are cancelled.
          </EmptyState>
        }
      />
      {dialog.shown}
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
