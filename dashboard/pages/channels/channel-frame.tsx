import type { ComponentChildren } from 'preact';
import { ApiError } from '../../../client/errors.ts';
import type { Schema } from '../../../client/create-client.ts';
import { Badge } from '../../kit/badge.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { ErrorBox } from '../../kit/error-box.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { NotFound } from '../../kit/not-found.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { useChannel } from './use-channel.ts';

type Channel = Schema<'Channel'>;

export interface ChannelParams {
  readonly ws: string;
  readonly ch: string;
}

interface ChannelFrameProps {
  readonly params: ChannelParams;
  /** What the page is about, as its tab calls it; for the browser's title. */
  readonly about: string;
  readonly children: (channel: Channel, reload: () => Promise<void>) => ComponentChildren;
}

/** What all pages of one channel share: its name and ids, and the way from one page to the next. */
export function ChannelFrame({ params, about, children }: ChannelFrameProps) {
  const { ws, ch } = params;
  const { value: channel, error, reload } = useChannel(ws, ch);
  if (error instanceof ApiError && error.statusCode === 404) return <NotFound />;
  if (!channel) {
    return (
      <>
        <PageHeader title="Channel" />
        {error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Waiting />}
      </>
    );
  }
  return (
    <>
      <PageHeader title={channel.displayName} windowTitle={`${about} of ${channel.displayName}`} />
      <p class="under-title">
        <Badge>{channel.type}</Badge> <ConnectionBadge channel={channel} />{' '}
        <CopyableId id={ch} what="the channel's id" />
      </p>
      <ChannelTabs channel={channel} workspaceId={ws} />
      {children(channel, reload)}
    </>
  );
}

function ConnectionBadge({ channel: { connected, forwardingEnabled } }: { readonly channel: Channel }) {
  if (!connected) return <Badge tone="bad">disconnected</Badge>;
  return forwardingEnabled ? <Badge tone="good">forwarding</Badge> : <Badge tone="warn">forwarding is off</Badge>;
}

function ChannelTabs({ channel, workspaceId }: { readonly channel: Channel; readonly workspaceId: string }) {
  const { organizationId } = useOrganization();
  const at = (page: string) => workspacePath(organizationId, workspaceId, `channels/${channel.id}${page}`);
  return (
    <Tabs
      label={`Pages of ${channel.displayName}`}
      tabs={[
        { label: 'Overview', href: at('') },
        { label: 'Webhook', href: at('/webhook') },
        { label: 'Subscriptions', href: at('/subscriptions') },
        ...(channel.type === 'photoapp' ? [{ label: 'Containers', href: at('/containers') }] : []),
        { label: 'Token and env', href: at('/token') },
        { label: 'Outbound calls', href: at('/calls') },
        { label: 'Settings', href: at('/settings') },
      ]}
    />
  );
}
