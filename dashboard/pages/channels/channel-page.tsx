import type { Schema } from '../../../client/create-client.ts';
import { ChannelCharts } from '../../charts/channel-charts.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { Facts, Panel } from '../../kit/facts.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useOrganization } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import type { PageProps } from '../../routes/route.ts';
import { ChannelFrame } from './channel-frame.tsx';
import { DestinationPanel } from '../destinations/destination-panel.tsx';

/** How a channel is doing, and what it is. */
export function Page({ params }: PageProps<'/app/:org/:ws/channels/:ch'>) {
  const { organizationId } = useOrganization();
  const { ws, ch } = params;
  const deliveries = workspacePath(organizationId, ws, `deliveries?channel=${ch}`);
  return (
    <ChannelFrame params={params} about="Overview">
      {(channel) => (
        <>
          <DestinationPanel channel={channel} deliveriesPath={deliveries} />
          <ChannelCharts channelId={ch} />
          <AboutPanel channel={channel} workspaceId={ws} />
        </>
      )}
    </ChannelFrame>
  );
}

interface AboutPanelProps {
  readonly channel: Schema<'Channel'>;
  readonly workspaceId: string;
}

function AboutPanel({ channel, workspaceId }: AboutPanelProps) {
  const { organizationId } = useOrganization();
  const { id, type, metaResourceId, phoneNumberId, connectionType, credentialId, linkedChannelId } = channel;
  return (
    <Panel title="About">
      <Facts
        facts={[
          ['Channel id', <CopyableId id={id} what="the channel's id" />],
          ['Type', type],
          [
            type === 'chatapp' ? 'Account at the platform' : 'Id at the platform',
            <CopyableId id={metaResourceId} what="the platform's id" />,
          ],
          ...(phoneNumberId !== null && phoneNumberId !== metaResourceId
            ? [['Phone number id', <CopyableId id={phoneNumberId} what="the phone number's id" />] as const]
            : []),
          ['Connected by', connectionType],
          ['Credential', <CopyableId id={credentialId} what="the credential's id" />],
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
          ['Last changed', <RelativeTime at={channel.updatedAt} />],
        ]}
      />
    </Panel>
  );
}
