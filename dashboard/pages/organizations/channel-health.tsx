import { ErrorBox } from '../../kit/error-box.tsx';
import { Loading } from '../../kit/lists/list.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { ChannelTable } from '../channels/channel-table.tsx';
import { useChannels } from '../channels/use-channels.ts';

const SHOWN = 8;

export function ChannelHealth() {
  const { organizationId } = useOrganization();
  const { id } = useWorkspace();
  const { items, error, isLoading, hasMore, reload } = useChannels(id, SHOWN);
  if (!items) return error ? <ErrorBox error={error} onRetry={() => void reload()} /> : <Loading />;
  if (items.length === 0) return isLoading ? <Loading /> : <p class="soft">No channels yet.</p>;
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
