import type { OrganizationRole } from './roles.ts';

/** What a limited credential may be allowed (interface, "Auth"). A credential without a list has all of them. */
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

/** The scopes that a call at the gateway can need. */
export const gatewayScopes = [
  'channel.read',
  'channel.manage',
  'messages.read',
  'message.send',
] as const satisfies Scope[];
export type GatewayScope = (typeof gatewayScopes)[number];

/** Returns what a channel token is limited to that a credential with these scopes gets. */
export function gatewayScopesOf(held: readonly Scope[]): GatewayScope[] {
  return gatewayScopes.filter((scope) => held.includes(scope));
}

/** Deciding over others, and over who may act, is the organization admins' alone. */
const adminScopes: ReadonlySet<Scope> = new Set(['workspace.manage', 'credentials.manage']);

/** What a person is in an organization, as far as it bounds the agents that act for them. */
export interface Standing {
  readonly role: OrganizationRole;
  /** Whether the person is a developer or an admin of at least one workspace. */
  readonly isDeveloper: boolean;
}

/** Returns the scopes that a person can grant to an agent in an organization. */
export function grantableScopes({ role, isDeveloper }: Standing): readonly Scope[] {
  if (role === 'admin') return scopes;
  return scopes.filter((scope) => !adminScopes.has(scope) && (scope !== 'channel.reveal' || isDeveloper));
}
