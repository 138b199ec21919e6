import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { type EventType, eventTypes, fitsChannelType } from '../../../contract/event-types.ts';
import { idempotencyKey, usePages } from '../../kit/calls.ts';
import { FormDialog, useDialog } from '../../kit/dialogs.tsx';
import { CheckboxGroup, TextField, useFields } from '../../kit/forms.tsx';
import { actionColumn, type Column, List } from '../../kit/lists.tsx';
import { CopyableId, CreateButton, EmptyState, Panel, RelativeTime } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { api } from '../../session/api.ts';
import type { ChannelType } from '../channels/use-channels.ts';

type Listener = Schema<'Listener'>;

interface ListenerPanelProps {
  readonly channelId: string;
  readonly channelType: ChannelType;
}

/** Listeners are programs that read events instead of receiving webhooks, such as `channels listen`. */
export function ListenerPanel(panel: ListenerPanelProps) {
  const { channelId: ch } = panel;
  const dialog = useDialog();
  const pages = usePages(['listeners', ch], (query) =>
    api.get('/channels/{ch}/listeners', { params: { path: { ch }, query } }),
  );
  const remove = ({ listenerId: lst, label }: Listener) =>
    dialog.confirm({
      title: `Delete listener ${label ?? lst}?`,
      submit: 'Delete listener',
      about: 'Its waiting deliveries are cancelled.',
      act: () => api.delete('/channels/{ch}/listeners/{lst}', { params: { path: { ch, lst } } }),
      done: 'Listener deleted.',
    });
  const create = (
    <CreateButton small onClick={() => dialog.open((close) => <CreateListenerDialog {...panel} onClose={close} />)}>
      Create listener
    </CreateButton>
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
        columns={[
          ...columns,
          actionColumn<Listener>(
            ({ label, listenerId }) => label ?? listenerId,
            (listener) => [['Delete', () => remove(listener)]],
          ),
        ]}
        keyOf={({ listenerId }) => listenerId}
        one="listener"
        empty={
          <EmptyState
            title="No listeners yet"
            command={`channels listen ${ch} --forward-to http://localhost:4000/webhook`}
          >
            This command creates a listener and forwards its events in order to a local port.
          </EmptyState>
        }
      />
      {dialog.shown}
    </Panel>
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

function CreateListenerDialog({ channelId: ch, channelType, onClose }: ListenerPanelProps & { onClose: () => void }) {
  const offered: readonly EventType[] = eventTypes.filter((type) => fitsChannelType(type, channelType));
  const { fields, bind } = useFields({ label: '', chosen: offered });
  const { label, chosen } = fields;
  const [key] = useState(idempotencyKey);
  const create = async () => {
    const isAll = chosen.length === offered.length;
    const body = { label: label.trim() || null, eventTypes: isAll ? null : [...chosen] };
    const params = { path: { ch }, header: { 'Idempotency-Key': key } };
    await api.post('/channels/{ch}/listeners', { params, body });
    toast('Listener created.');
  };
  return (
    <FormDialog
      title="Create listener"
      submit="Create listener"
      act={create}
      disabled={chosen.length === 0}
      onClose={onClose}
    >
      <TextField
        label="Label (optional)"
        hint="For example, the name of the computer that reads it."
        maxLength={200}
        isFirst
        {...bind('label')}
      />
      <CheckboxGroup legend="Events" options={offered} {...bind('chosen')} />
    </FormDialog>
  );
}
