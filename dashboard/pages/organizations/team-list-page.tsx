import { EmptyState } from '../../kit/empty-state.tsx';
import { WorkspaceList } from './workspace-list.tsx';

export function Page() {
  return (
    <WorkspaceList
      kind="team"
      title="Workspaces"
      about="Workspaces hold the channels of your own teams. Customer workspaces are listed under Customers."
      empty={(create) => (
        <EmptyState title="No workspaces yet" action={create}>
          Channels, webhooks and deliveries belong to a workspace. Members can see only the workspaces that they belong
          to.
        </EmptyState>
      )}
    />
  );
}
