import { useState } from 'preact/hooks';
import { scheduledMessageStatuses } from '../../../contract/operations/scheduled-message.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { useRefresh } from '../../kit/calls/use-refresh.ts';
import { ConfirmDialog } from '../../kit/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { SelectField } from '../../kit/forms/field.tsx';
import { formatExactTime } from '../../kit/format/format-relative-time.ts';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { usePages } from '../../kit/lists/use-pages.ts';
import { toast } from '../../kit/toast.tsx';
import type { PageProps } from '../../routes/route.ts';
import { query, setQuery } from '../../routes/router.ts';
import { api } from '../../session/api.ts';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import { ScheduledMessageDetails } from './scheduled-message-details.tsx';
import { ChangeMessageDialog, ScheduledMessageDialog } from './scheduled-message-dialog.tsx';
import { type ScheduledMessage, scheduledMessageTones } from './scheduled-message-status.ts';

const REFRESH_MS = 5_000;

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/scheduled-messages'>) {
  return (
    <ChannelLayout params={params} about="Scheduled messages">
      {() => <ScheduledMessages channelId={params.ch} />}
    </ChannelLayout>
  );
}

type Opened =
  { readonly what: 'show' | 'change' | 'cancel'; readonly message: ScheduledMessage } | { readonly what: 'new' };

function ScheduledMessages({ channelId }: { readonly channelId: string }) {
  const [opened, setOpened] = useState<Opened>();
  const status = scheduledMessageStatuses.find((one) => one === query.value.get('status'));
  const pages = useScheduledMessages(channelId, status);
  const close = () => {
    setOpened(undefined);
    void pages.reload();
  };
  return (
    <>
      <div class="filter-bar">
        <SelectField
          label="Status"
          value={status ?? ''}
          options={[['', 'Any'], ...scheduledMessageStatuses.map((one) => [one, one] as const)]}
          onValue={(chosen) => setQuery({ status: chosen })}
        />
        <div class="at-end">
          <Button tone="primary" onClick={() => setOpened({ what: 'new' })}>
            <Icon name="plus" /> Schedule message
          </Button>
        </div>
      </div>
      <List
        pages={pages}
        caption="Scheduled messages"
        columns={columnsFor(setOpened)}
        keyOf={({ scheduledMessageId }) => scheduledMessageId}
        one="message"
        many="messages"
        empty={
          <EmptyState
            title={status ? 'No matching messages' : 'No scheduled messages yet'}
            command={`channels messages send ${channelId} --to 15551230000 --text Hello --send-at 2h`}
          >
            A scheduled message is sent once, at its time. Until then you can change and cancel it.
          </EmptyState>
        }
      />
      <OpenedDialog channelId={channelId} opened={opened} onClose={close} />
    </>
  );
}

interface OpenedDialogProps {
  readonly channelId: string;
  readonly opened: Opened | undefined;
  readonly onClose: () => void;
}

function OpenedDialog({ channelId: ch, opened, onClose }: OpenedDialogProps) {
  if (!opened) return null;
  if (opened.what === 'new') return <ScheduledMessageDialog channelId={ch} onClose={onClose} />;
  const { scheduledMessageId: sm, sendAt } = opened.message;
  if (opened.what === 'show')
    return <ScheduledMessageDetails channelId={ch} scheduledMessageId={sm} onClose={onClose} />;
  if (opened.what === 'change')
    return <ChangeMessageDialog channelId={ch} message={opened.message} onClose={onClose} />;
  const cancel = async () => {
    await api.post('/channels/{ch}/scheduled-messages/{sm}/cancel', { params: { path: { ch, sm } } });
    toast('Message cancelled.');
  };
  return (
    <ConfirmDialog title="Cancel message" submit="Cancel message" dismiss="Keep" onConfirm={cancel} onClose={onClose}>
      <p>The message of {formatExactTime(new Date(sendAt))} is not sent, and its content is erased.</p>
    </ConfirmDialog>
  );
}

function useScheduledMessages(channelId: string, status: ScheduledMessage['status'] | undefined) {
  const pages = usePages(
    async (cursor) => {
      const filters = { ...(status && { status }), ...(cursor !== undefined && { cursor }) };
      const params = { path: { ch: channelId }, query: filters };
      const { scheduledMessages, nextCursor } = await api.get('/channels/{ch}/scheduled-messages', { params });
      return { items: scheduledMessages, nextCursor };
    },
    [channelId, status],
  );
  const isOpen = pages.items?.some((one) => one.status === 'scheduled' || one.status === 'sending');
  useRefresh(() => void pages.reload(), isOpen && (pages.items?.length ?? 0) <= 50 ? REFRESH_MS : null);
  return pages;
}

const columnsFor = (open: (opened: Opened) => void): readonly Column<ScheduledMessage>[] => [
  { head: 'Send at', cell: ({ sendAt }) => <time dateTime={sendAt}>{formatExactTime(new Date(sendAt))}</time> },
  { head: 'To', cell: ({ recipient }) => recipient ?? '–' },
  {
    head: 'Status',
    isWide: true,
    cell: ({ status, statusDetail }) => (
      <>
        <Badge tone={scheduledMessageTones[status]}>{status}</Badge> {statusDetail}
      </>
    ),
  },
  { head: 'Message', cell: ({ scheduledMessageId }) => <code>{scheduledMessageId}</code> },
  {
    head: 'Actions',
    isHeadHidden: true,
    align: 'end',
    cell: (message) => {
      const isScheduled = message.status === 'scheduled';
      const button = (words: string, what: 'show' | 'change' | 'cancel') => (
        <Button
          small
          tone="quiet"
          aria-label={`${words} ${message.scheduledMessageId}`}
          onClick={() => open({ what, message })}
        >
          {words}
        </Button>
      );
      return (
        <div class="actions">
          {button('Show', 'show')}
          {isScheduled && button('Change', 'change')}
          {isScheduled && button('Cancel', 'cancel')}
        </div>
      );
    },
  },
];
