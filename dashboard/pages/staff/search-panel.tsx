import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/forms/field.tsx';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { statusTones } from '../deliveries/delivery-note.ts';
import { DeliveryStory } from './delivery-story.tsx';
import { type Desk, desk } from './desk.ts';

type Found = Schema<'StaffDeliverySummary'>;

const fields = [
  ['sender', 'Sender'],
  ['platformMessageId', 'Platform message ID'],
  ['channelId', 'Channel ID'],
  ['organizationId', 'Organization ID'],
  ['deliveryId', 'Delivery ID'],
] as const;
type Field = (typeof fields)[number][0];

interface Search {
  readonly field: Field;
  readonly value: string;
}

export function SearchPanel() {
  const [field, setField] = useState<Field>('sender');
  const [value, setValue] = useState('');
  const [search, setSearch] = useState<Search | null>(null);
  const opened = desk.value;
  return (
    <Panel title="Deliveries">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch({ field, value: value.trim() });
        }}
      >
        <SelectField label="Find by" value={field} options={fields} onValue={setField} />
        <TextField label="Value" required maxLength={500} spellcheck={false} value={value} onValue={setValue} />
        <Button type="submit" tone="primary">
          Search
        </Button>
      </form>
      {opened && search && <Results key={`${search.field} ${search.value}`} opened={opened} search={search} />}
    </Panel>
  );
}

function Results({ opened, search }: { readonly opened: Desk; readonly search: Search }) {
  const { client, reason } = opened;
  const [chosen, setChosen] = useState<string | null>(null);
  const pages = usePages(async (cursor) => {
    const query = { reason, [search.field]: search.value, ...(cursor !== undefined && { cursor }) };
    const { deliveries, nextCursor } = await client.get('/staff/deliveries', { params: { query } });
    return { items: deliveries, nextCursor };
  }, []);
  return (
    <>
      <List
        pages={pages}
        caption="Deliveries"
        columns={[...columns, actionColumn(setChosen)]}
        keyOf={({ deliveryId }) => deliveryId}
        one="delivery"
        many="deliveries"
        empty={<p>No deliveries found.</p>}
      />
      {chosen !== null && (
        <DeliveryStory
          key={chosen}
          deliveryId={chosen}
          opened={opened}
          onChanged={pages.reload}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}

const columns: readonly Column<Found>[] = [
  { head: 'Received', cell: ({ receivedAt }) => <RelativeTime at={receivedAt} /> },
  { head: 'Status', cell: ({ status }) => <Badge tone={statusTones[status]}>{status}</Badge> },
  { head: 'Event', cell: ({ eventType }) => <code>{eventType}</code> },
  { head: 'Sender', cell: ({ sender }) => sender },
  { head: 'Organization', cell: ({ organizationName }) => organizationName },
  { head: 'Channel', cell: ({ channelId }) => <code>{channelId}</code> },
];

const actionColumn = (onShow: (deliveryId: string) => void): Column<Found> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: ({ deliveryId }) => (
    <Button small tone="quiet" aria-label={`Show ${deliveryId}`} onClick={() => onShow(deliveryId)}>
      Show
    </Button>
  ),
});
