/** The roles in an organization. An organization's admin is an admin of all its workspaces. */
export const organizationRoles = ['admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** The roles in a workspace, lowest first. Each includes the ones before it; a developer may also see secrets. */
export const workspaceRoles = ['member', 'developer', 'admin'] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

/** Returns whether a role in a workspace includes another one. */
export function includesRole(role: WorkspaceRole, needed: WorkspaceRole): boolean {
  return workspaceRoles.indexOf(role) >= workspaceRoles.indexOf(needed);
}
