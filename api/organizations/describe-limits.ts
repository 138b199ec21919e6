interface Limits {
  readonly scopes?: readonly string[] | undefined;
  /** Public ids. */
  readonly workspaceIds?: readonly string[] | undefined;
  readonly allowedCidrs?: readonly string[] | null | undefined;
  readonly expiresAt?: string | null | undefined;
}

/** For the audit log, which must say what a key could do at most. Null without limits; omits those that are undefined. */
export function describeLimits({ scopes, workspaceIds, allowedCidrs, expiresAt }: Limits): string | null {
  const parts = [
    ...(scopes ? [`scopes ${scopes.join(' ')}`] : []),
    ...(workspaceIds ? [`workspaces ${workspaceIds.join(' ')}`] : []),
    ...(allowedCidrs === undefined ? [] : [allowedCidrs ? `addresses ${allowedCidrs.join(' ')}` : 'any address']),
    ...(expiresAt === undefined ? [] : [expiresAt === null ? 'no end' : `until ${expiresAt}`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}
