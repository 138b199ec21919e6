import type { OrganizationBody, WorkspaceBody } from '../../contract/schemas/organization.ts';
import type { Organization } from '../../db/organizations.ts';
import type { Workspace } from '../../db/workspaces.ts';

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
