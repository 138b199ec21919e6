import { PageHeader } from '../../kit/page.tsx';
import { Badge, CopyableId, DescriptionList, ErrorBox, Loading, Panel, RelativeTime } from '../../kit/parts.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { useOrganization, usePlace, useWorkspace } from '../../session/page-outlet.tsx';
import { ChannelTable } from '../channels/channel-table.tsx';
import { useChannels } from '../channels/use-channels.ts';
import { OverviewPanels } from '../overview/overview-panels.tsx';

export function Page() {
  const { organizationId } = useOrganization();
  const { id, name, kind, externalId, memberCount, role, createdAt } = useWorkspace();
  return (
    <>
      <PageHeader title={name} />
      <OverviewPanels organizationId={organizationId} workspaceId={id} />
      <Panel title="Channels">
        <ChannelHealth />
      </Panel>
      <Panel title={kind === 'customer' ? 'Customer' : 'Workspace'}>
        <DescriptionList
          items={[
            ['ID (X-Workspace-Id)', <CopyableId id={id} what="workspace ID" />],
            ['Kind', <Badge>{kind}</Badge>],
            kind === 'customer' && ['External ID', externalId ?? '–'],
            [
              'Members',
              <>
                <a href={workspacePath(organizationId, id, 'members')}>{memberCount}</a>{' '}
                <span class="soft">and all admins of the organization</span>
              </>,
            ],
            ['Your role', role],
            ['Created', <RelativeTime at={createdAt} />],
          ]}
        />
      </Panel>
    </>
  );
}

const SHOWN = 8;

function ChannelHealth() {
  const { workspaceId: id, at } = usePlace();
  const { items, error, hasMore, reload } = useChannels(id, SHOWN);
  if (!items) return error ? <ErrorBox error={error} onRetry={reload} /> : <Loading />;
  if (items.length === 0) return <p class="soft">No channels yet.</p>;
  return (
    <>
      <ChannelTable channels={items} workspaceId={id} />
      <p class="after-table">
        <a href={at('channels')}>{hasMore ? 'All channels' : 'Channels'}</a>
        {' · '}
        <a href={at('deliveries')}>Deliveries</a>
      </p>
    </>
  );
}
