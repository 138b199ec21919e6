import type { Schema } from '../../../client/create-client.ts';
import { ChannelCharts } from '../../charts/channel-charts.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { ChannelLayout } from './channel-layout.tsx';
import { HealthPanel } from './health-panel.tsx';
import { DestinationPanel } from '../destinations/destination-panel.tsx';

export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch'>) {
  const { organizationId } = useOrganization();
  const { ws, ch } = params;
  const deliveries = workspacePath(organizationId, ws, `deliveries?channel=${ch}`);
  return (
    <ChannelLayout params={params} about="Overview">
      {(channel) => (
        <>
          <DestinationPanel channel={channel} deliveriesPath={deliveries} />
          <HealthPanel key={channel.id} channel={channel} />
          <ChannelCharts channelId={ch} />
          <AboutPanel channel={channel} workspaceId={ws} />
        </>
      )}
    </ChannelLayout>
  );
}

interface AboutPanelProps {
  readonly channel: Schema<'Channel'>;
  readonly workspaceId: string;
}

function AboutPanel({ channel, workspaceId }: AboutPanelProps) {
  const { organizationId } = useOrganization();
  const { id, type, metaResourceId, phoneNumberId, businessAccountId } = channel;
  const { connectionType, credentialId, linkedChannelId } = channel;
  return (
    <Panel title="Details">
      <DescriptionList
        items={[
          ['Channel ID', <CopyableId id={id} what="channel ID" />],
          ['Type', type],
          [
            type === 'chatapp' ? 'Platform account ID' : 'Platform ID',
            <CopyableId id={metaResourceId} what="platform ID" />,
          ],
          ...(phoneNumberId !== null && phoneNumberId !== metaResourceId
            ? [['Phone number ID', <CopyableId id={phoneNumberId} what="phone number ID" />] as const]
            : []),
          ...(businessAccountId === null
            ? []
            : [['Business account', <CopyableId id={businessAccountId} what="business account ID" />] as const]),
          ['Connection type', connectionType],
          ['Credential', <CopyableId id={credentialId} what="credential ID" />],
          ...(linkedChannelId !== null
            ? [
                [
                  'Linked channel',
                  <a href={workspacePath(organizationId, workspaceId, `channels/${linkedChannelId}`)}>
                    {linkedChannelId}
                  </a>,
                ] as const,
              ]
            : []),
          ['Created', <RelativeTime at={channel.createdAt} />],
          ['Updated', <RelativeTime at={channel.updatedAt} />],
        ]}
      />
    </Panel>
  );
}
