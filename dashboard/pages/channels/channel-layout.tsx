import type { ComponentChildren } from 'preact';
import { DetailPage, PageHeader, Tabs } from '../../kit/page.tsx';
import { Badge, CopyableId } from '../../kit/parts.tsx';
import { usePlace } from '../../session/page-outlet.tsx';
import { may, portal } from '../../session/portal.ts';
import { ChannelTrouble } from './trouble.tsx';
import { type Channel, useChannel } from './use-channels.ts';

export interface ChannelParams {
  readonly ws: string;
  readonly ch: string;
}

interface ChannelLayoutProps {
  readonly params: ChannelParams;
  readonly about: string;
  readonly children: (channel: Channel) => ComponentChildren;
}

export function ChannelLayout({ params, about, children }: ChannelLayoutProps) {
  const { ws, ch } = params;
  return (
    <DetailPage title="Channel" of={useChannel(ws, ch)}>
      {(channel) => (
        <>
          <PageHeader title={channel.displayName} windowTitle={`${about} · ${channel.displayName}`} />
          <p class="under-title">
            <Badge>{channel.type}</Badge> <ConnectionBadge channel={channel} /> <CopyableId id={ch} what="channel ID" />
          </p>
          <ChannelTrouble channel={channel} />
          <ChannelTabs channel={channel} />
          {children(channel)}
        </>
      )}
    </DetailPage>
  );
}

const deliveryLabels = {
  failing: 'failing',
  circuit_open: 'deliveries wait',
  overdue: 'deliveries late',
  disabled: 'webhook disabled',
  not_settling: 'not recorded',
} as const;

export function ConnectionBadge({ channel }: { readonly channel: Channel }) {
  const { connected, credentialRefusedAt, forwardingEnabled, delivery } = channel;
  if (!connected) return <Badge tone="bad">disconnected</Badge>;
  if (credentialRefusedAt !== null) return <Badge tone="bad">credential refused</Badge>;
  if (delivery && delivery.state !== 'ok') {
    const isSubscription = delivery.destination !== 'webhook' && delivery.state === 'disabled';
    const label = isSubscription ? 'subscription disabled' : deliveryLabels[delivery.state];
    return <Badge tone={delivery.state === 'failing' ? 'warn' : 'bad'}>{label}</Badge>;
  }
  if (!forwardingEnabled) return <Badge tone="warn">forwarding off</Badge>;
  // In the dashboard, a listener may receive the events.
  if (portal.value && delivery === null) return <Badge tone="warn">no destination</Badge>;
  return <Badge tone="good">forwarding</Badge>;
}

type Tab = readonly [label: string, page: string];

const photoTabs: readonly Tab[] = [
  ['Containers', '/containers'],
  ['Scheduled posts', '/scheduled-posts'],
];

function tabsOf({ type }: Channel): readonly Tab[] {
  const subscriptions: Tab = ['Subscriptions', '/subscriptions'];
  if (portal.value) return [['Overview', ''], ...(may('subscriptions.read') ? [subscriptions] : [])];
  return [
    ['Overview', ''],
    ['Webhook', '/webhook'],
    subscriptions,
    ...(type === 'photoapp' ? photoTabs : []),
    ['Scheduled messages', '/scheduled-messages'],
    ['Token', '/token'],
    ['Outbound calls', '/calls'],
    ['Settings', '/settings'],
  ];
}

function ChannelTabs({ channel }: { readonly channel: Channel }) {
  const { at } = usePlace();
  const tabs = tabsOf(channel).map(([label, page]) => [label, at(`channels/${channel.id}${page}`)] as const);
  return <Tabs label="Channel pages" tabs={tabs} />;
}
