import { useAction, usePages } from '../../kit/calls.ts';
import { useDialog } from '../../kit/dialogs.tsx';
import { actionColumn, type Column, List } from '../../kit/lists.tsx';
import { Badge, CreateButton, EmptyState, ErrorBox, Panel, RelativeTime } from '../../kit/parts.tsx';
import { toast } from '../../kit/toast.tsx';
import type { PageProps } from '../../routes/route.ts';
import { api } from '../../session/api.ts';
import { may, portal } from '../../session/portal.ts';
import { ChannelLayout } from '../channels/channel-layout.tsx';
import type { ChannelType } from '../channels/use-channels.ts';
import { type DestinationHealth, useDestinations } from '../destinations/use-destinations.ts';
import { ListenerPanel } from './listener-panel.tsx';
import { type Subscription, SubscriptionDialog, TestSubscriptionDialog } from './subscription-dialogs.tsx';

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch/subscriptions'>) {
  return (
    <ChannelLayout params={params} about="Subscriptions">
      {({ type, delivery }) => (
        <>
          <SubscriptionPanel channelId={params.ch} channelType={type} hasDestination={delivery !== null} />
          {!portal.value && <ListenerPanel channelId={params.ch} channelType={type} />}
        </>
      )}
    </ChannelLayout>
  );
}

interface SubscriptionPanelProps {
  readonly channelId: string;
  readonly channelType: ChannelType;
  /** Without subscriptions, it is the webhook. */
  readonly hasDestination: boolean;
}

function SubscriptionPanel({ hasDestination, ...panel }: SubscriptionPanelProps) {
  const { channelId: ch, channelType } = panel;
  const dialog = useDialog();
  const pages = usePages(['subscriptions', ch], (query) =>
    api.get('/channels/{ch}/subscriptions', { params: { path: { ch }, query } }),
  );
  const health = useDestinations(ch);
  const reasonOf: ReasonOf = ({ subscriptionId }) =>
    health.value?.find((one) => one.subscriptionId === subscriptionId && !one.isKept)?.disabledReason ?? null;
  const toggle = useAction(async ({ subscriptionId: sub, enabled }: Subscription) => {
    const params = { path: { ch, sub } };
    await api.patch('/channels/{ch}/subscriptions/{sub}', { params, body: { enabled: !enabled } });
    toast(enabled ? 'Subscription disabled.' : 'Subscription enabled.');
  });
  const edit = (subscription: Subscription | null) =>
    dialog.open((close) => <SubscriptionDialog {...panel} subscription={subscription} onClose={close} />);
  const test = (subscription: Subscription) =>
    dialog.open((close) => <TestSubscriptionDialog {...panel} subscription={subscription} onClose={close} />);
  const remove = ({ subscriptionId: sub, label, url }: Subscription) =>
    dialog.confirm({
      title: `Delete subscription ${label ?? url}?`,
      submit: 'Delete subscription',
      about: 'Its waiting deliveries are cancelled.',
      act: () => api.delete('/channels/{ch}/subscriptions/{sub}', { params: { path: { ch, sub } } }),
      done: 'Subscription deleted.',
    });
  const canSubscribe = channelType !== 'pageapp';
  const mayManage = may('subscriptions.manage');
  const actions = actionColumn<Subscription>(
    ({ label, url }) => label ?? url,
    (one) => [
      ['Test', () => test(one)],
      ['Edit', () => edit(one)],
      [one.enabled ? 'Disable' : 'Enable', () => toggle.run(one)],
      ['Delete', () => remove(one)],
    ],
  );
  const create = canSubscribe && mayManage && (
    <CreateButton small onClick={() => edit(null)}>
      Create subscription
    </CreateButton>
  );
  return (
    <Panel title="Event subscriptions" actions={create}>
      <p>Additional URLs that receive selected event types, signed with the channel's signing secret.</p>
      <ErrorBox error={toggle.error} />
      <List
        pages={pages}
        caption="Event subscriptions"
        columns={[...columnsFor(reasonOf), ...(mayManage ? [actions] : [])]}
        keyOf={({ subscriptionId }) => subscriptionId}
        one="subscription"
        empty={
          <EmptyState
            title="No subscriptions yet"
            command={!portal.value && `channels subscriptions create ${ch} https://… --events …`}
          >
            {hasDestination
              ? 'The webhook receives all events. '
              : 'Events are stored but not sent: no webhook is set. '}
            {canSubscribe
              ? `Create a subscription to ${hasDestination ? 'also send selected types to another URL' : 'send selected types to a URL'}.`
              : "pageapp channels don't support subscriptions."}
          </EmptyState>
        }
      />
      {dialog.shown}
    </Panel>
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
