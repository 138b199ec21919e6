import { Badge } from '../../kit/badge.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { List } from '../../kit/lists/list.tsx';
import type { Column } from '../../kit/lists/table.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { useWorkspace } from '../../session/page-outlet.tsx';
import { ConnectionBadge } from '../channels/channel-layout.tsx';
import { type Channel, useChannels } from '../channels/use-channels.ts';

export function Page() {
  const { id, organizationId } = useWorkspace();
  const pages = useChannels(id);
  const columns: readonly Column<Channel>[] = [
    {
      head: 'Channel',
      isWide: true,
      cell: ({ id: ch, displayName, type }) => (
        <>
          <a href={workspacePath(organizationId, id, `channels/${ch}`)}>{displayName}</a> <Badge>{type}</Badge>
        </>
      ),
    },
    { head: 'Status', cell: (channel) => <ConnectionBadge channel={channel} /> },
    { head: 'Connected', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];
  return (
    <>
      <PageHeader title="Channels">Accounts whose events are sent on.</PageHeader>
      <List
        pages={pages}
        caption="Channels"
        columns={columns}
        keyOf={({ id: ch }) => ch}
        one="channel"
        many="channels"
        empty={<EmptyState title="No channels">No account is connected.</EmptyState>}
      />
    </>
  );
}
