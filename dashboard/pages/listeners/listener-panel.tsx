import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Panel } from '../../kit/facts.tsx';
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

/** Programs that fetch events instead of being sent them, such as `channels listen`. */
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
      <Icon name="plus" /> New listener
    </Button>
  );
  return (
    <Panel title="Listeners" actions={create}>
      <p>A listener keeps events until a program reads them: for a computer that no event can reach from outside.</p>
      <List
        pages={pages}
        caption="Listeners"
        columns={[...columns, deleteColumn(setOpen)]}
        keyOf={({ listenerId }) => listenerId}
        one="listener"
        many="listeners"
        empty={
          <EmptyState
            title="No listener"
            command={`channels listen ${channelId} --forward-to http://localhost:4000/webhook`}
          >
            The command line makes one, and passes events on to a local port in order.
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
      title={`Delete the listener ${open.label ?? open.listenerId}?`}
      submit="Delete"
      onConfirm={async () => {
        const path = { ch: channelId, lst: open.listenerId };
        await api.delete('/channels/{ch}/listeners/{lst}', { params: { path } });
        toast('The listener is deleted.');
        await onChanged();
      }}
      onClose={onClose}
    >
      <p>What waits for it is cancelled.</p>
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
        <CopyableId id={listenerId} what="the listener's id" />
      </>
    ),
  },
  {
    head: 'Events',
    cell: ({ eventTypes: types }) => (types === null ? 'all' : types.map((type) => <code class="line">{type}</code>)),
  },
  { head: 'Last read', cell: ({ lastReadAt: at }) => (at ? <RelativeTime at={at} /> : 'never') },
  { head: 'Ends unless read', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
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
