import { ErrorBox } from '../../kit/error-box.tsx';
import { Waiting } from '../../kit/lists/list.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { ChannelTable } from '../channels/channel-table.tsx';
import { NoChannel } from '../channels/no-channel.tsx';
import { useChannels } from '../channels/use-channels.ts';

/** An overview is read at a glance; the rest has a page of its own. */
const SHOWN = 8;

/** The workspace's channels by how they are doing. */
export function ChannelHealth() {
  const { organizationId } = useOrganization();
  const { id } = useWorkspace();
  const { items, error, isLoading, hasMore, reload } = useChannels(id, SHOWN);
  if (!items) return error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Waiting />;
  if (items.length === 0) return isLoading ? <Waiting /> : <NoChannel />;
  return (
    <>
      <ChannelTable channels={items} workspaceId={id} />
      <p class="after-table">
        <a href={workspacePath(organizationId, id, 'channels')}>{hasMore ? 'All channels' : 'Channels'}</a>
        {' · '}
        <a href={workspacePath(organizationId, id, 'deliveries')}>Deliveries</a>
      </p>
    </>
  );
}
