import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { idempotencyKey, useAction, useLoad, usePages } from '../../kit/calls.ts';
import { Dialog, useDialog } from '../../kit/dialogs.tsx';
import { SelectField, TextField, useFields } from '../../kit/forms.tsx';
import { JsonView } from '../../kit/json-view.tsx';
import { actionColumn, type Column, List } from '../../kit/lists.tsx';
import { Badge, Button, ErrorBox, Loading, Panel, RelativeTime } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import { AttemptResponse } from '../deliveries/attempt-response.tsx';
import { statusTones } from '../deliveries/delivery-note.ts';
import { DeliveryTimeline } from '../deliveries/delivery-timeline.tsx';
import { type Desk, desk } from './desk.ts';

const searchFields = [
  ['sender', 'Sender'],
  ['platformMessageId', 'Platform message ID'],
  ['channelId', 'Channel ID'],
  ['organizationId', 'Organization ID'],
  ['deliveryId', 'Delivery ID'],
] as const;

interface Search {
  readonly field: (typeof searchFields)[number][0];
  readonly value: string;
}

export function SearchPanel() {
  const { fields, bind } = useFields<Search>({ field: 'sender', value: '' });
  const [search, setSearch] = useState<Search | null>(null);
  const opened = desk.value;
  return (
    <Panel title="Deliveries">
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setSearch({ ...fields, value: fields.value.trim() });
        }}
      >
        <SelectField label="Find by" options={searchFields} {...bind('field')} />
        <TextField label="Value" required maxLength={500} spellcheck={false} {...bind('value')} />
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
  const dialog = useDialog();
  const pages = usePages(['deliveries', 'staff', search], (page) =>
    client.get('/staff/deliveries', { params: { query: { reason, [search.field]: search.value, ...page } } }),
  );
  const show = (id: string) =>
    dialog.open((close) => <DeliveryStory deliveryId={id} opened={opened} onClose={close} />);
  return (
    <>
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

interface DeliveryStoryProps {
  readonly deliveryId: string;
  readonly opened: Desk;
  readonly onClose: () => void;
}

function DeliveryStory({ deliveryId: wd, opened, onClose }: DeliveryStoryProps) {
  const { client, reason } = opened;
  const story = useLoad(['staff-delivery', wd], () =>
    client.get('/staff/deliveries/{wd}', { params: { path: { wd }, query: { reason } } }),
  );
  const retry = useAction(async () => {
    await client.post('/staff/deliveries/{wd}/retry', { params: { path: { wd } }, body: { reason } });
    toast('Retried.');
  });
  const [key, setKey] = useState(idempotencyKey);
  const replay = useAction(async () => {
    const params = { path: { wd }, header: { 'Idempotency-Key': key } };
    const made = await client.post('/staff/deliveries/{wd}/replay', { params, body: { reason } });
    setKey(idempotencyKey()); // the next click is another replay
    toast(`Replayed as ${made.deliveryId}.`);
  });
  return (
    <Dialog title={`Delivery ${wd}`} isWide onClose={onClose}>
      <ErrorBox error={story.error ?? retry.error ?? replay.error} />
      {!story.value && !story.error && <Loading />}
      {story.value && <Story delivery={story.value} />}
      <div class="form-actions">
        <Button tone="primary" busy={retry.isBusy} onClick={() => retry.run()}>
          Retry
        </Button>
        <Button busy={replay.isBusy} onClick={() => replay.run()}>
          Replay
        </Button>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function Story({ delivery }: { readonly delivery: Schema<'StaffDelivery'> }) {
  const { attempts, payload, status, organizationName, temporalUrl } = delivery;
  const [number, setNumber] = useState<number | null>(null);
  const chosen = attempts.find((one) => one.number === number) ?? attempts.at(-1);
  return (
    <>
      <p>
        <Badge tone={statusTones[status]}>{status}</Badge> {organizationName}{' '}
        {temporalUrl !== null && <a href={temporalUrl}>Workflow</a>}
      </p>
      <DeliveryTimeline delivery={delivery} chosen={chosen?.number} onChoose={setNumber} />
      <div class="side-by-side">
        <section>
          <h3>Payload</h3>
          <JsonView text={payload} what="payload" />
        </section>
        <section>
          <h3>Response</h3>
          {chosen ? <AttemptResponse attempt={chosen} /> : <p class="soft">No attempts yet.</p>}
        </section>
      </div>
    </>
  );
}
