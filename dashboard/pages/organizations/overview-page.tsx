import { Badge } from '../../kit/badge.tsx';
import { CopyableId } from '../../kit/copyable.tsx';
import { Facts, Panel } from '../../kit/facts.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useOrganization, useWorkspace } from '../../session/page-outlet.tsx';
import { workspacePath } from '../../routes/paths.ts';
import { ChannelHealth } from './channel-health.tsx';

/** What a workspace is, and how its channels are doing. */
export function Page() {
  const { organizationId } = useOrganization();
  const { id, name, kind, externalId, memberCount, role, createdAt } = useWorkspace();
  return (
    <>
      <PageHeader title={name} />
      <Panel title="Channels">
        <ChannelHealth />
      </Panel>
      <Panel title={kind === 'customer' ? 'Customer' : 'Workspace'}>
        <Facts
          facts={[
            ['Id, for X-Workspace-Id', <CopyableId id={id} what="the workspace's id" />],
            ['Kind', <Badge>{kind}</Badge>],
            ...(kind === 'customer' ? [['External id', externalId ?? '–'] as const] : []),
            ['Members', <a href={workspacePath(organizationId, id, 'members')}>{memberCount}</a>],
            ['Your role', role],
            ['Created', <RelativeTime at={createdAt} />],
          ]}
        />
      </Panel>
    </>
  );
}
