import { ChannelCharts } from '../../charts/channel-charts.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { useOrganization } from '../../session/page-outlet.tsx';
import { may } from '../../session/portal.ts';
import { ChannelLayout, type ChannelParams } from '../channels/channel-layout.tsx';

export function Page({ params }: { readonly params: ChannelParams }) {
  const { organizationId } = useOrganization();
  const { ws, ch } = params;
  return (
    <ChannelLayout params={params} about="Overview">
      {({ type, createdAt, metaResourceId }) => (
        <>
          {may('deliveries.read') && <ChannelCharts channelId={ch} />}
          <Panel title="Details">
            <DescriptionList
              items={[
                ['Type', type],
                ['Platform ID', <CopyableId id={metaResourceId} what="platform ID" />],
                ['Connected', <RelativeTime at={createdAt} />],
              ]}
            />
            {may('deliveries.read') && (
              <p>
                <a href={workspacePath(organizationId, ws, `deliveries?channel=${ch}`)}>Deliveries of this channel</a>
              </p>
            )}
          </Panel>
        </>
      )}
    </ChannelLayout>
  );
}
