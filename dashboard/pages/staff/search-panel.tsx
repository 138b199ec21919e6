import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { type DeliveryStatus, deliveryStatuses } from '../../../contract/deliveries/status.ts';
import { usePages } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { parseLocalTime } from '../../kit/format/format.ts';
import { SelectField, TextField, useFields } from '../../kit/forms.tsx';
import { actionColumn, type Column, List } from '../../kit/lists.tsx';
import { MultiSelect } from '../../kit/menus/multi-select.tsx';
import { Badge, Button, CopyableId, Panel, RelativeTime } from '../../kit/parts.tsx';
import { statusTones } from '../deliveries/delivery-note.ts';
import { DeliveryStory } from './delivery-story.tsx';
import { type Desk, desk } from './desk.ts';

const searchFields = [
  ['sender', 'Sender'],
  ['channel', 'Channel'],
  ['platformMessageId', 'Message'],
  ['deliveryId', 'Delivery'],
  ['workspaceId', 'Workspace'],
  ['organizationId', 'Organization'],
] as const;
type SearchField = (typeof searchFields)[number][0];

const placeholders: Readonly<Record<SearchField, string>> = {
  sender: 'number or ID',
  channel: 'ch_…, number or Page',
  platformMessageId: 'ID of the platform',
  deliveryId: 'wd_…',
  workspaceId: 'ws_…',
  organizationId: 'org_…',
};
export const statusOptions = deliveryStatuses.map((value) => ({ value, label: value }));

interface Search {
  readonly field: SearchField;
  /** Empty for all deliveries. */
  readonly value: string;
  /** Empty for any. */
  readonly text: string;
  readonly statuses: readonly DeliveryStatus[];
  readonly since: string;
  readonly until: string;
}

const everything: Search = { field: 'sender', value: '', text: '', statuses: [], since: '', until: '' };

export function SearchPanel() {
  const { fields, bind, set } = useFields<Search>(everything);
  const [search, setSearch] = useState<Search | null>(null);
  const opened = desk.value;
  return (
    <Panel title="Deliveries">
      <form
        class="filters"
        role="search"
        aria-label="Deliveries"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch({ ...fields, value: fields.value.trim(), text: fields.text.trim() });
        }}
      >
        <SelectField label="Find by" options={searchFields} {...bind('field')} />
        <TextField
          label="Value"
          placeholder={placeholders[fields.field]}
          maxLength={500}
          spellcheck={false}
          {...bind('value')}
        />
        <TextField label="Text" placeholder="of a channel or organization" maxLength={200} {...bind('text')} />
        <TextField label="Received since" type="datetime-local" {...bind('since')} />
        <TextField label="Received before" type="datetime-local" {...bind('until')} />
        <MultiSelect
          label="Status"
          options={statusOptions}
          values={fields.statuses}
          onValues={(statuses) => set({ statuses })}
        />
        <Button type="submit" tone="primary">
          Search
        </Button>
      </form>
      {opened && search && <Results key={JSON.stringify(search)} opened={opened} search={search} />}
    </Panel>
  );
}

interface ResultsProps {
  readonly opened: Desk;
  readonly search: Search;
}

const isChannelId = (text: string): boolean => text.startsWith('ch_');

function queryOf({ field, value, text, statuses, since, until }: Search) {
  const parameter = field === 'channel' ? (isChannelId(value) ? 'channelId' : 'resourceId') : field;
  const from = parseLocalTime(since);
  const before = parseLocalTime(until);
  return {
    ...(value !== '' && { [parameter]: value }),
    ...(text !== '' && { text }),
    ...(statuses.length > 0 && { status: statuses.join(',') }),
    ...(from !== null && { since: from }),
    ...(before !== null && { until: before }),
  };
}

function Results({ opened, search }: ResultsProps) {
  const { client, reason } = opened;
  const dialog = useDialog();
  const pages = usePages(['deliveries', 'staff', search], (page) =>
    client.get('/staff/deliveries', { params: { query: { reason, ...queryOf(search), ...page } } }),
  );
  const show = (id: string) =>
    dialog.open((close) => <DeliveryStory deliveryId={id} opened={opened} onClose={close} />);
  return (
    <>
      {search.field === 'channel' && search.value !== '' && !isChannelId(search.value) && (
        <Channels opened={opened} search={search} />
      )}
      <List
        pages={pages}
        caption="Deliveries"
        columns={[
          ...columns,
          actionColumn<Schema<'StaffDeliverySummary'>>(
            ({ deliveryId }) => deliveryId,
            ({ deliveryId }) => [['Show', () => show(deliveryId)]],
          ),
        ]}
        keyOf={({ deliveryId }) => deliveryId}
        one="delivery"
        many="deliveries"
        empty={<p>No deliveries found.</p>}
      />
      {dialog.shown}
    </>
  );
}

const columns: readonly Column<Schema<'StaffDeliverySummary'>>[] = [
  { head: 'Received', cell: ({ receivedAt }) => <RelativeTime at={receivedAt} /> },
  { head: 'Status', cell: ({ status }) => <Badge tone={statusTones[status]}>{status}</Badge> },
  { head: 'Event', cell: ({ eventType }) => <code>{eventType}</code> },
  { head: 'Sender', cell: ({ sender }) => sender },
  { head: 'Organization', cell: ({ organizationName }) => organizationName },
  { head: 'Channel', cell: ({ channelId }) => <code>{channelId}</code> },
];

/** Those without deliveries, too. The search for deliveries says that no channel was found. */
function Channels({ opened: { client, reason }, search: { value: resourceId } }: ResultsProps) {
  const pages = usePages(['channels', 'staff', resourceId], (page) =>
    client.get('/staff/channels', { params: { query: { reason, resourceId, ...page } } }),
  );
  return (
    <List
      pages={pages}
      caption="Channels"
      columns={channelColumns}
      keyOf={({ channelId }) => channelId}
      one="channel"
      empty={null}
    />
  );
}

const channelColumns: readonly Column<Schema<'StaffChannel'>>[] = [
  { head: 'Channel', cell: ({ channelId }) => <CopyableId id={channelId} what="channel ID" /> },
  { head: 'Name', cell: ({ displayName }) => displayName },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'Organization', cell: ({ organizationName }) => organizationName },
  {
    head: 'Connected',
    cell: ({ connected }) => (connected ? <Badge tone="good">connected</Badge> : <Badge>disconnected</Badge>),
  },
];
