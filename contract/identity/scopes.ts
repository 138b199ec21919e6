import type { OrganizationRole } from './roles.ts';

/** A credential without scopes has all. */
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

export const gatewayScopes = [
  'channel.read',
  'channel.manage',
  'messages.read',
  'message.send',
] as const satisfies Scope[];
export type GatewayScope = (typeof gatewayScopes)[number];

/** Null for all. */
export function gatewayScopesOf(held: readonly Scope[] | null): GatewayScope[] {
  return gatewayScopes.filter((scope) => held === null || held.includes(scope));
}

/** They affect other members. */
const adminScopes: ReadonlySet<Scope> = new Set(['workspace.manage', 'credentials.manage']);

export interface MemberRoles {
  readonly role: OrganizationRole;
  readonly isDeveloper: boolean;
}

export function grantableScopes({ role, isDeveloper }: MemberRoles): readonly Scope[] {
  if (role === 'admin') return scopes;
  return scopes.filter((scope) => !adminScopes.has(scope) && (scope !== 'channel.reveal' || isDeveloper));
}
