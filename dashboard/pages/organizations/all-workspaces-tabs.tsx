import { Tabs } from '../../kit/page.tsx';
import { organizationPath, workspacePath } from '../../routes/paths.ts';
import { currentWorkspace } from '../../session/current-workspace.ts';
import { useOrganization } from '../../session/page-outlet.tsx';

interface AllWorkspacesTabsProps {
  readonly page: string;
  /** Optional. The API refuses others the page of the organization. */
  readonly isForAdmins?: boolean;
}

/** Tabs of a page that the workspace of the menu and the organization both have. */
export function AllWorkspacesTabs({ page, isForAdmins = false }: AllWorkspacesTabsProps) {
  const { organizationId, role } = useOrganization();
  const workspace = currentWorkspace.value?.workspace;
  if (workspace?.organizationId !== organizationId || (isForAdmins && role !== 'admin')) return null;
  return (
    <Tabs
      label="Workspaces"
      tabs={[
        [workspace.name, workspacePath(organizationId, workspace.id, page)],
        ['All workspaces', organizationPath(organizationId, page)],
      ]}
    />
  );
}
