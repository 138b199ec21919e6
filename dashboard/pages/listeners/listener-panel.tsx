import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { CreateListenerDialog } from './create-listener-dialog.tsx';
import type { ChannelType } from '../channels/use-channel.ts';

type Listener = Schema<'Listener'>;

interface ListenerPanelProps {
  readonly channelId: string;
  readonly channelType: ChannelType;
}

/** Listeners are programs that read events instead of receiving webhooks, such as `channels listen`. */
export function ListenerPanel({ channelId, channelType }: ListenerPanelProps) {
  const [open, setOpen] = useState<'create' | Listener | null>(null);
  const pages = usePages(
    async (cursor) => {
      const params = { path: { ch: channelId }, query: { ...(cursor !== undefined && { cursor }) } };
      const { listeners, nextCursor } = await api.get('/channels/{ch}/listeners', { params });
      return { items: listeners, nextCursor };
    },
    [channelId],
  );
  const create = (
    <Button small onClick={() => setOpen('create')}>
      <Icon name="plus" /> Create listener
    </Button>
  );
  return (
    <Panel title="Listeners" actions={create}>
      <p>
        A listener stores events until a program reads them. Use one for programs that can't receive requests from the
        internet.
      </p>
      <List
        pages={pages}
        caption="Listeners"
        columns={[...columns, deleteColumn(setOpen)]}
        keyOf={({ listenerId }) => listenerId}
        one="listener"
        many="listeners"
        empty={
          <EmptyState
            title="No listeners yet"
            command={`channels listen ${channelId} --forward-to http://localhost:4000/webhook`}
          >
            This command creates a listener and forwards its events in order to a local port.
          </EmptyState>
        }
      />
      {open !== null && (
        <ListenerDialog {...{ channelId, channelType, open }} onChanged={pages.reload} onClose={() => setOpen(null)} />
      )}
    </Panel>
  );
}

interface ListenerDialogProps extends ListenerPanelProps {
  readonly open: 'create' | Listener;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

function ListenerDialog({ channelId, channelType, open, onChanged, onClose }: ListenerDialogProps) {
  if (open === 'create') {
    return <CreateListenerDialog {...{ channelId, channelType, onClose }} onCreated={onChanged} />;
  }
  return (
    <ConfirmDialog
      title={`Delete listener ${open.label ?? open.listenerId}?`}
      submit="Delete listener"
      onConfirm={async () => {
        const path = { ch: channelId, lst: open.listenerId };
        await api.delete('/channels/{ch}/listeners/{lst}', { params: { path } });
        toast('Listener deleted.');
        await onChanged();
      }}
      onClose={onClose}
    >
      <p>Its waiting deliveries are cancelled.</p>
    </ConfirmDialog>
  );
}

const columns: readonly Column<Listener>[] = [
  {
    head: 'Listener',
    isWide: true,
    cell: ({ label, listenerId }) => (
      <>
        {label !== null && <span class="line">{label}</span>}
        <CopyableId id={listenerId} what="listener ID" />
      </>
    ),
  },
  {
    head: 'Events',
    cell: ({ eventTypes: types }) => (types === null ? 'all' : types.map((type) => <code class="line">{type}</code>)),
  },
  { head: 'Last read', cell: ({ lastReadAt: at }) => (at ? <RelativeTime at={at} /> : 'never') },
  { head: 'Expires if not read', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
];

const deleteColumn = (open: (listener: Listener) => void): Column<Listener> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: (listener) => (
    <div class="actions">
      <Button
        small
        tone="quiet"
        aria-label={`Delete ${listener.label ?? listener.listenerId}`}
        onClick={() => open(listener)}
      >
        Delete
      </Button>
    </div>
  ),
});
