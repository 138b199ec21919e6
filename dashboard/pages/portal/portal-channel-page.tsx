import { ChannelCharts } from '../../charts/channel-charts.tsx';
import { CopyableId, DescriptionList, Panel, RelativeTime } from '../../kit/parts.tsx';
import { usePlace } from '../../session/page-outlet.tsx';
import { may } from '../../session/portal.ts';
import { ChannelLayout, type ChannelParams } from '../channels/channel-layout.tsx';

export function Page({ params }: { readonly params: ChannelParams }) {
  const { at } = usePlace();
  const { ch } = params;
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
                <a href={at(`deliveries?channel=${ch}`)}>Deliveries of this channel</a>
              </p>
            )}
          </Panel>
        </>
      )}
    </ChannelLayout>
  );
}
