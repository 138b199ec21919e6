import { EmptyState } from '../../kit/empty-state.tsx';
import { WorkspaceList } from './workspace-list.tsx';

/** The organization's own workspaces. */
export function Page() {
  return (
    <WorkspaceList
      kind="team"
      title="Workspaces"
      about="Where your own teams keep their channels. Your customers have theirs under Customers."
      empty={(create) => (
        <EmptyState title="No workspace of a team" action={create}>
          Channels, their webhooks and their deliveries belong to a workspace. Its members see nothing of other ones.
        </EmptyState>
      )}
    />
  );
}
