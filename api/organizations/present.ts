import type { OrganizationBody } from '../../openapi/organizations/routes.ts';
import type { WholeWorkspaceBody, WorkspaceBody } from '../../openapi/organizations/workspace-routes.ts';
import type { Organization } from '../../db/organizations/organizations.ts';
import type { WorkspaceCounts } from '../../db/organizations/workspace-counts.ts';
import type { WorkspaceRole } from '../../db/people/users.ts';
import type { Workspace } from '../../db/organizations/workspaces.ts';

export function presentOrganization({ publicId, name, createdAt }: Organization): OrganizationBody {
  return { id: publicId, name, createdAt: createdAt.toISOString() };
}

export function presentWorkspace(workspace: Workspace, organizationId: string): WorkspaceBody {
  return {
    id: workspace.publicId,
    organizationId,
    name: workspace.name,
    kind: workspace.kind,
    externalId: workspace.externalId,
    createdAt: workspace.createdAt.toISOString(),
  };
}

export function presentWholeWorkspace(
  workspace: Workspace,
  { organizationId, counts, role }: { organizationId: string; counts: WorkspaceCounts; role: WorkspaceRole },
): WholeWorkspaceBody {
  const { memberCount, channelCount } = counts;
  return { ...presentWorkspace(workspace, organizationId), memberCount, channelCount, role };
}
