import type { ComponentChildren } from 'preact';
import { ApiError } from '../../../client/errors.ts';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { NotFound } from '../../kit/not-found.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { may, portal } from '../../session/portal.ts';
import { workspacePath } from '../../routes/paths.ts';
import { ChannelTrouble } from '../troubles/channel-trouble.tsx';
import { useChannel } from './use-channel.ts';

type Channel = Schema<'Channel'>;

export interface ChannelParams {
  readonly ws: string;
  readonly ch: string;
}

interface ChannelLayoutProps {
  readonly params: ChannelParams;
  readonly about: string;
  readonly children: (channel: Channel, reload: () => Promise<void>) => ComponentChildren;
}

export function ChannelLayout({ params, about, children }: ChannelLayoutProps) {
  const { ws, ch } = params;
  const { value: channel, error, reload } = useChannel(ws, ch);
  if (error instanceof ApiError && error.statusCode === 404) return <NotFound />;
  if (!channel) {
    return (
      <>
        <PageHeader title="Channel" />
        {error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Loading />}
      </>
    );
  }
  return (
    <>
      <PageHeader title={channel.displayName} windowTitle={`${about} · ${channel.displayName}`} />
      <p class="under-title">
        <Badge>{channel.type}</Badge> <ConnectionBadge channel={channel} /> <CopyableId id={ch} what="channel ID" />
      </p>
      {!portal.value && <ChannelTrouble channel={channel} onChanged={reload} />}
      <ChannelTabs channel={channel} workspaceId={ws} />
      {children(channel, reload)}
    </>
  );
}

const deliveryLabels = {
  failing: 'failing',
  circuit_open: 'deliveries wait',
  disabled: 'webhook disabled',
  not_settling: 'not recorded',
} as const;

export function ConnectionBadge({
  channel: { connected, credentialRefusedAt, forwardingEnabled, delivery },
}: {
  readonly channel: Channel;
}) {
  if (!connected) return <Badge tone="bad">disconnected</Badge>;
  if (credentialRefusedAt !== null) return <Badge tone="bad">credential refused</Badge>;
  if (delivery && delivery.state !== 'ok') {
    const isSubscription = delivery.destination !== 'webhook' && delivery.state === 'disabled';
    return <Badge tone="bad">{isSubscription ? 'subscription disabled' : deliveryLabels[delivery.state]}</Badge>;
  }
  return forwardingEnabled ? <Badge tone="good">forwarding</Badge> : <Badge tone="warn">forwarding off</Badge>;
}

function ChannelTabs({ channel, workspaceId }: { readonly channel: Channel; readonly workspaceId: string }) {
  const { organizationId } = useOrganization();
  const at = (page: string) => workspacePath(organizationId, workspaceId, `channels/${channel.id}${page}`);
  const overview = { label: 'Overview', href: at('') };
  const subscriptions = { label: 'Subscriptions', href: at('/subscriptions') };
  if (portal.value) {
    return <Tabs label="Channel pages" tabs={[overview, ...(may('subscriptions.read') ? [subscriptions] : [])]} />;
  }
  return (
    <Tabs
      label="Channel pages"
      tabs={[
        overview,
        { label: 'Webhook', href: at('/webhook') },
        subscriptions,
        ...(channel.type === 'photoapp'
          ? [
              { label: 'Containers', href: at('/containers') },
              { label: 'Scheduled posts', href: at('/scheduled-posts') },
            ]
          : []),
        { label: 'Scheduled messages', href: at('/scheduled-messages') },
        { label: 'Token', href: at('/token') },
        { label: 'Outbound calls', href: at('/calls') },
        { label: 'Settings', href: at('/settings') },
      ]}
    />
  );
}
