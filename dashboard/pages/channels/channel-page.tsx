import { ChannelCharts } from '../../charts/channel-charts.tsx';
import { CopyableId, DescriptionList, Panel, RelativeTime } from '../../kit/parts.tsx';
import type { PageProps } from '../../routes/route.ts';
import { usePlace } from '../../session/page-outlet.tsx';
import { DestinationPanel } from '../destinations/destination-panel.tsx';
import { ChannelLayout } from './channel-layout.tsx';
import { HealthPanel } from './health-panel.tsx';
import type { Channel } from './use-channels.ts';

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch'>) {
  const { at } = usePlace();
  return (
    <ChannelLayout params={params} about="Overview">
      {(channel) => (
        <>
          <DestinationPanel channel={channel} deliveriesPath={at(`deliveries?channel=${params.ch}`)} />
          <ChannelCharts channelId={params.ch} />
          <HealthPanel key={channel.id} channel={channel} />
          <AboutPanel channel={channel} pathOf={(ch) => at(`channels/${ch}`)} />
        </>
      )}
    </ChannelLayout>
  );
}

interface AboutPanelProps {
  readonly channel: Channel;
  readonly pathOf: (channelId: string) => string;
}

function AboutPanel({ channel, pathOf }: AboutPanelProps) {
  const { type, metaResourceId, phoneNumberId, businessAccountId, linkedChannelId } = channel;
  const id = (name: string, what: string, value: string) => [name, <CopyableId id={value} what={what} />] as const;
  return (
    <Panel title="Details">
      <DescriptionList
        items={[
          id('Channel ID', 'channel ID', channel.id),
          ['Type', type],
          id(type === 'chatapp' ? 'Platform account ID' : 'Platform ID', 'platform ID', metaResourceId),
          phoneNumberId !== null &&
            phoneNumberId !== metaResourceId &&
            id('Phone number ID', 'phone number ID', phoneNumberId),
          businessAccountId !== null && id('Business account', 'business account ID', businessAccountId),
          ['Connection type', channel.connectionType],
          id('Credential', 'credential ID', channel.credentialId),
          linkedChannelId !== null && ['Linked channel', <a href={pathOf(linkedChannelId)}>{linkedChannelId}</a>],
          ['Created', <RelativeTime at={channel.createdAt} />],
          ['Updated', <RelativeTime at={channel.updatedAt} />],
        ]}
      />
    </Panel>
  );
}
