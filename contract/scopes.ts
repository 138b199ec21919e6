/** What a limited credential may be allowed (interface, "Auth"). A credential without a list has all of them. */
export const scopes = [
  'workspace.read',
  'workspace.manage',
  'channel.read',
  'channel.manage',
  'channel.connect',
  'webhook.manage',
  'messages.read',
  'message.send',
  'deliveries.read',
  'deliveries.replay',
  'credentials.manage',
] as const;
export type Scope = (typeof scopes)[number];

/** Deciding over others, and over who may act, is the organization admins' alone. */
const adminScopes: ReadonlySet<Scope> = new Set(['workspace.manage', 'credentials.manage']);

/** The scopes that a person of this role in an organization can hand to an agent. */
export function scopesOfRole(role: 'admin' | 'member'): readonly Scope[] {
  return role === 'admin' ? scopes : scopes.filter((scope) => !adminScopes.has(scope));
}
