import type { OrganizationRole } from './roles.ts';

/** A credential without a list of scopes has all of them. */
export const scopes = [
  'workspace.read',
  'workspace.manage',
  'channel.read',
  'channel.manage',
  'channel.reveal',
  'channel.connect',
  'webhook.manage',
  'messages.read',
  'message.send',
  'deliveries.read',
  'deliveries.replay',
  'credentials.manage',
] as const;
export type Scope = (typeof scopes)[number];

/** The scopes that the gateway checks. */
export const gatewayScopes = [
  'channel.read',
  'channel.manage',
  'messages.read',
  'message.send',
] as const satisfies Scope[];
export type GatewayScope = (typeof gatewayScopes)[number];

/** Returns the scopes of a channel token that a credential with these scopes mints. */
export function gatewayScopesOf(held: readonly Scope[]): GatewayScope[] {
  return gatewayScopes.filter((scope) => held.includes(scope));
}

/** Only admins of an organization can grant these, because they affect other members. */
const adminScopes: ReadonlySet<Scope> = new Set(['workspace.manage', 'credentials.manage']);

/** A person's roles in an organization, which bound the scopes of their agents. */
export interface Standing {
  readonly role: OrganizationRole;
  /** Developer or admin of at least one workspace. */
  readonly isDeveloper: boolean;
}

/** Returns the scopes that a person can grant to an agent in an organization. */
export function grantableScopes({ role, isDeveloper }: Standing): readonly Scope[] {
  if (role === 'admin') return scopes;
  return scopes.filter((scope) => !adminScopes.has(scope) && (scope !== 'channel.reveal' || isDeveloper));
}
