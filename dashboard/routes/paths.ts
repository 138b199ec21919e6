/** Set in a portal, whose addresses name a link instead of an organization and a workspace. */
let portalBase: string | null = null;

export function setPortalBase(base: string): void {
  portalBase = base;
}

/** `page` follows the IDs: `channels`, `channels/ch_…`, or nothing. */
export function organizationPath(organizationId: string, page = ''): string {
  return join(['/app', organizationId, page]);
}

export function workspacePath(organizationId: string, workspaceId: string, page = ''): string {
  return join(portalBase === null ? ['/app', organizationId, workspaceId, page] : [portalBase, page]);
}

/** A page of a workspace, or without one, of the organization. */
export function placePath(organizationId: string, workspaceId: string | null | undefined, page = ''): string {
  return workspaceId == null
    ? organizationPath(organizationId, page)
    : workspacePath(organizationId, workspaceId, page);
}

const join = (parts: readonly string[]): string => parts.filter(Boolean).join('/');
