import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { useAction } from '../../kit/calls/use-action.ts';
import { TextField } from '../../kit/forms/field.tsx';
import { Form } from '../../kit/forms/form.tsx';
import { pluralize } from '../../kit/format/pluralize.ts';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { toast } from '../../kit/toast.tsx';
import { desk } from './desk.ts';

type Unrouted = Schema<'UnroutedEventList'>['events'][number];

export function UnroutedPanel() {
  const [ch, setChannel] = useState('');
  const [cursor, setCursor] = useState<string | null>(null);
  const pages = usePages<Unrouted>(async (cursor) => {
    const opened = desk.peek();
    if (!opened) return { items: [], nextCursor: null };
    const query = { reason: opened.reason, ...(cursor !== undefined && { cursor }) };
    const { events, nextCursor } = await opened.client.get('/staff/unrouted-events', { params: { query } });
    return { items: events, nextCursor };
  }, []);
  const sending = useAction(async () => {
    const opened = desk.peek();
    if (!opened) return;
    const body = { reason: opened.reason, ...(cursor !== null && { cursor }) };
    const request = { params: { path: { ch: ch.trim() } }, body };
    const sent = await opened.client.post('/staff/channels/{ch}/unrouted-events/send', request);
    setCursor(sent.nextCursor);
    toast(describeSent(sent));
    await pages.reload();
  });
  return (
    <Panel title="Events of unknown channels">
      <List
        pages={pages}
        caption="Events of unknown channels"
        columns={columns}
        keyOf={({ receivedAt, resourceId, sizeBytes }) => `${receivedAt} ${resourceId} ${sizeBytes}`}
        one="event"
        many="events"
        empty={<p>None. Every event belongs to a channel.</p>}
      />
      <Form action={sending} submit="Send on">
        <TextField
          label="Channel"
          hint="Once the account is connected: sends its events on to the channel, oldest first, each once."
          required
          pattern="\s*ch_[A-Za-z0-9]{8}\s*"
          title="An ID that begins with ch_"
          spellcheck={false}
          value={ch}
          onValue={(value) => {
            setChannel(value);
            setCursor(null);
          }}
        />
      </Form>
    </Panel>
  );
}

function describeSent({ sentCount, skippedCount, hasMore }: Schema<'UnroutedSent'>): string {
  const skipped = skippedCount === 0 ? '' : ` Skipped ${skippedCount} that cannot be decrypted or accepted.`;
  return `${pluralize(sentCount, 'event')} sent on.${skipped}${hasMore ? ' More are left: send on again.' : ''}`;
}

const columns: readonly Column<Unrouted>[] = [
  { head: 'Received', cell: ({ receivedAt }) => <RelativeTime at={receivedAt} /> },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'Account', cell: ({ resourceId }) => <code>{resourceId}</code> },
  { head: 'Bytes', align: 'end', cell: ({ sizeBytes }) => sizeBytes },
  { head: 'Sent on', cell: ({ sentAt }) => (sentAt === null ? 'no' : <RelativeTime at={sentAt} />) },
];
