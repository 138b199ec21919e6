import { type Column, ListPage } from '../../kit/lists.tsx';
import { Badge, EmptyState, RelativeTime } from '../../kit/parts.tsx';
import { usePlace } from '../../session/page-outlet.tsx';
import { ConnectionBadge } from '../channels/channel-layout.tsx';
import { type Channel, useChannels } from '../channels/use-channels.ts';

export function Page() {
  const { workspaceId, at } = usePlace();
  const columns: readonly Column<Channel>[] = [
    {
      head: 'Channel',
      isWide: true,
      cell: ({ id: ch, displayName, type }) => (
        <>
          <a href={at(`channels/${ch}`)}>{displayName}</a> <Badge>{type}</Badge>
        </>
      ),
    },
    { head: 'Status', cell: (channel) => <ConnectionBadge channel={channel} /> },
    { head: 'Connected', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
  return (
    <ListPage
      title="Channels"
      about="Accounts whose events are sent on."
      pages={useChannels(workspaceId)}
      columns={columns}
      keyOf={({ id: ch }) => ch}
      one="channel"
      empty={<EmptyState title="No channels">No account is connected.</EmptyState>}
    />
  );
}
