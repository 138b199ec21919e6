/** An organization's admin is also an admin of all its workspaces. */
export const organizationRoles = ['admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** Lowest first; each role includes those before it. Developers and admins can see secrets. */
export const workspaceRoles = ['member', 'developer', 'admin'] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

export function includesRole(role: WorkspaceRole, needed: WorkspaceRole): boolean {
  return workspaceRoles.indexOf(role) >= workspaceRoles.indexOf(needed);
}
