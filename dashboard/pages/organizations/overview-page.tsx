import { Badge } from '../../kit/badge.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { DescriptionList } from '../../kit/description-list.tsx';
import { Panel } from '../../kit/panel.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { OverviewPanels } from '../overview/overview-panels.tsx';
import { ChannelHealth } from './channel-health.tsx';

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
            ...(kind === 'customer' ? [['External ID', externalId ?? '–'] as const] : []),
            ['Members', <a href={workspacePath(organizationId, id, 'members')}>{memberCount}</a>],
            ['Your role', role],
            ['Created', <RelativeTime at={createdAt} />],
          ]}
        />
      </Panel>
    </>
  );
}
