export const organizationRoles = ['admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** Lowest first. Developers can see secrets. */
export const workspaceRoles = ['member', 'developer', 'admin'] as const;
export type WorkspaceRole = (typeof workspaceRoles)[number];

export function includesRole(role: WorkspaceRole, needed: WorkspaceRole): boolean {
  return workspaceRoles.indexOf(role) >= workspaceRoles.indexOf(needed);
}
