/** `page` follows the IDs: `channels`, `channels/ch_…`, or nothing. */
export function organizationPath(organizationId: string, page = ''): string {
  return join(['/app', organizationId, page]);
}

export function workspacePath(organizationId: string, workspaceId: string, page = ''): string {
  return join(['/app', organizationId, workspaceId, page]);
}

const join = (parts: readonly string[]): string => parts.filter(Boolean).join('/');
