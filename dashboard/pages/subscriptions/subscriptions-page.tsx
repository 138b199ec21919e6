import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Icon } from '../../kit/icon.tsx';
import { List } from '../../kit/lists/list.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { toast } from '../../kit/toast.tsx';
import { useAction } from '../../kit/calls/use-action.ts';
import { usePages } from '../../kit/lists/use-pages.ts';
import { api } from '../../session/api.ts';
import { may, portal } from '../../session/portal.ts';
import type { PageProps } from '../../routes/route.ts';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import type { ChannelType } from '../channels/use-channel.ts';
import { type DestinationHealth, useDestinations } from '../destinations/use-destinations.ts';
import { ListenerPanel } from '../listeners/listener-panel.tsx';
import { DeleteSubscriptionDialog, TestSubscriptionDialog } from './subscription-dialogs.tsx';
import { SubscriptionDialog } from './subscription-dialog.tsx';

type Subscription = Schema<'EventSubscription'>;

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/subscriptions'>) {
  return (
    <ChannelLayout params={params} about="Subscriptions">
      {({ type }) => (
        <>
          <SubscriptionPanel channelId={params.ch} channelType={type} />
          {!portal.value && <ListenerPanel channelId={params.ch} channelType={type} />}
        </>
      )}
    </ChannelLayout>
  );
}

type Open =
  { readonly act: 'create' } | { readonly act: 'edit' | 'delete' | 'test'; readonly subscription: Subscription };

interface SubscriptionPanelProps {
  readonly channelId: string;
  readonly channelType: ChannelType;
}

function SubscriptionPanel({ channelId, channelType }: SubscriptionPanelProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const pages = useSubscriptions(channelId);
  const health = useDestinations(channelId);
  const reasonOf: ReasonOf = ({ subscriptionId }) =>
    health.value?.find((one) => one.subscriptionId === subscriptionId && !one.isKept)?.disabledReason ?? null;
  const reload = async () => {
    await Promise.all([pages.reload(), health.reload()]);
  };
  const toggle = useAction(async ({ subscriptionId: sub, enabled }: Subscription) => {
    const params = { path: { ch: channelId, sub } };
    await api.patch('/channels/{ch}/subscriptions/{sub}', { params, body: { enabled: !enabled } });
    await reload();
    toast(enabled ? 'Subscription disabled.' : 'Subscription enabled.');
  });
  const canSubscribe = channelType !== 'pageapp';
  const mayManage = may('subscriptions.manage');
  const actions = mayManage ? [actionColumn({ open: setOpen, toggle: (one) => void toggle.run(one) })] : [];
  const create = canSubscribe && mayManage && <CreateButton onClick={() => setOpen({ act: 'create' })} />;
  return (
    <Panel title="Event subscriptions" actions={create}>
      <p>Additional URLs that receive selected event types, signed with the channel's signing secret.</p>
      <ErrorBox error={toggle.error} />
      <List
        pages={pages}
        caption="Event subscriptions"
        columns={[...columnsFor(reasonOf), ...actions]}
        keyOf={({ subscriptionId }) => subscriptionId}
        one="subscription"
        many="subscriptions"
        empty={
          <EmptyState
            title="No subscriptions yet"
            {...(!portal.value && { command: `channels subscriptions create ${channelId} https://… --events …` })}
          >
            {canSubscribe
              ? 'The webhook receives all events. Create a subscription to also send selected types to another URL.'
              : "The webhook receives all events. pageapp channels don't support subscriptions."}
          </EmptyState>
        }
      />
      {open && <OpenDialog {...{ channelId, channelType, open }} onChanged={reload} onClose={() => setOpen(null)} />}
    </Panel>
  );
}

function CreateButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button small onClick={onClick}>
      <Icon name="plus" /> Create subscription
    </Button>
  );
}

interface OpenDialogProps extends SubscriptionPanelProps {
  readonly open: Open;
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

function OpenDialog({ channelId, channelType, open, onChanged, onClose }: OpenDialogProps) {
  switch (open.act) {
    case 'create':
      return <SubscriptionDialog {...{ channelId, channelType, onClose }} subscription={null} onSaved={onChanged} />;
    case 'edit':
      return (
        <SubscriptionDialog
          {...{ channelId, channelType, onClose }}
          subscription={open.subscription}
          onSaved={onChanged}
        />
      );
    case 'delete':
      return (
        <DeleteSubscriptionDialog {...{ channelId, onClose }} subscription={open.subscription} onDeleted={onChanged} />
      );
    case 'test':
      return <TestSubscriptionDialog {...{ channelId, channelType, onClose }} subscription={open.subscription} />;
  }
}

function useSubscriptions(ch: string) {
  return usePages(
    async (cursor) => {
      const params = { path: { ch }, query: { ...(cursor !== undefined && { cursor }) } };
      const { subscriptions, nextCursor } = await api.get('/channels/{ch}/subscriptions', { params });
      return { items: subscriptions, nextCursor };
    },
    [ch],
  );
}

type DisabledReason = NonNullable<DestinationHealth['disabledReason']>;
const reasons: Readonly<Record<DisabledReason, string>> = {
  gone: 'answered 410 Gone',
  failing: 'failed for days',
  by_hand: 'by a user',
};

type ReasonOf = (subscription: Subscription) => DisabledReason | null;

const columnsFor = (reasonOf: ReasonOf): readonly Column<Subscription>[] => [
  {
    head: 'URL',
    isWide: true,
    cell: ({ url, label }) => (
      <>
        {label !== null && <span class="line">{label}</span>}
        <code>{url}</code>
      </>
    ),
  },
  { head: 'Events', cell: ({ events }) => events.map((event) => <code class="line">{event}</code>) },
  {
    head: 'Status',
    cell: (subscription) =>
      subscription.enabled ? (
        <EnabledState subscription={subscription} />
      ) : (
        <DisabledState reason={reasonOf(subscription)} />
      ),
  },
  { head: 'Last delivered', cell: ({ lastDeliveredAt: at }) => (at ? <RelativeTime at={at} /> : 'never') },
];

function DisabledState({ reason }: { readonly reason: DisabledReason | null }) {
  return (
    <>
      <Badge tone={reason === null || reason === 'by_hand' ? 'warn' : 'bad'}>disabled</Badge>{' '}
      {reason && reasons[reason]}
    </>
  );
}

/** Only failures since the last success matter. */
function EnabledState({ subscription: { lastDeliveredAt, lastFailureAt } }: { readonly subscription: Subscription }) {
  const isFailing = lastFailureAt !== null && (lastDeliveredAt === null || lastFailureAt > lastDeliveredAt);
  if (!isFailing) return <Badge tone="good">enabled</Badge>;
  return (
    <>
      <Badge tone="warn">failing</Badge> last failure <RelativeTime at={lastFailureAt} />
    </>
  );
}

interface Acts {
  readonly open: (open: Open) => void;
  readonly toggle: (subscription: Subscription) => void;
}

const actionColumn = ({ open, toggle }: Acts): Column<Subscription> => ({
  head: 'Actions',
  isHeadHidden: true,
  align: 'end',
  cell: (subscription) => {
    const name = subscription.label ?? subscription.url;
    const button = (words: string, onClick: () => void) => (
      <Button small tone="quiet" aria-label={`${words} ${name}`} onClick={onClick}>
        {words}
      </Button>
    );
    return (
      <div class="actions wrapping">
        {button('Test', () => open({ act: 'test', subscription }))}
        {button('Edit', () => open({ act: 'edit', subscription }))}
        {button(subscription.enabled ? 'Disable' : 'Enable', () => toggle(subscription))}
        {button('Delete', () => open({ act: 'delete', subscription }))}
      </div>
    );
  },
});
