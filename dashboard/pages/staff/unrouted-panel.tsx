import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { usePages } from '../../kit/calls.ts';
import { pluralize } from '../../kit/format/format.ts';
import { Form, TextField } from '../../kit/forms.tsx';
import { type Column, List } from '../../kit/lists.tsx';
import { Panel, RelativeTime } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import type { Desk } from './desk.ts';

export function UnroutedPanel({ opened: { client, reason } }: { readonly opened: Desk }) {
  const [ch, setChannel] = useState('');
  const [cursor, setCursor] = useState<string | null>(null);
  const pages = usePages(['events', 'unrouted', reason], (page) =>
    client.get('/staff/unrouted-events', { params: { query: { reason, ...page } } }),
  );
  const send = async () => {
    const body = { reason, ...(cursor !== null && { cursor }) };
    const request = { params: { path: { ch: ch.trim() } }, body };
    const sent = await client.post('/staff/channels/{ch}/unrouted-events/send', request);
    setCursor(sent.nextCursor);
    toast(describeSent(sent));
  };
  return (
    <Panel title="Events of unknown channels">
      <List
        pages={pages}
        caption="Events of unknown channels"
        columns={columns}
        keyOf={({ receivedAt, resourceId, sizeBytes }) => `${receivedAt} ${resourceId} ${sizeBytes}`}
        one="event"
        empty={<p>None. Every event belongs to a channel.</p>}
      />
      <Form act={send} submit="Send on">
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

const columns: readonly Column<Schema<'UnroutedEventList'>['events'][number]>[] = [
  { head: 'Received', cell: ({ receivedAt }) => <RelativeTime at={receivedAt} /> },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'Account', cell: ({ resourceId }) => <code>{resourceId}</code> },
  { head: 'Bytes', align: 'end', cell: ({ sizeBytes }) => sizeBytes },
  { head: 'Sent on', cell: ({ sentAt }) => (sentAt === null ? 'no' : <RelativeTime at={sentAt} />) },
];
