import type { ErrorCode } from '../../../contract/errors.ts';
import type {
  GuardedAccess,
  PathParameter,
  PrincipalKind,
  RouteDefinition,
} from '../../../openapi/definitions/route-definition.ts';
import type { PortalRight } from '../../../contract/identity/portal.ts';
import type { Scope } from '../../../contract/identity/scopes.ts';

export interface Caller {
  readonly kind: PrincipalKind;
  /** Null if scopes don't limit the caller. */
  readonly scopes: readonly Scope[] | null;
  readonly organizationRole: 'admin' | 'member' | null;
  readonly workspaceRole: 'admin' | 'developer' | 'member' | null;
  /** Optional. Whether the caller can reach only some workspaces. Default: false. */
  readonly isLimited?: boolean;
  /** Optional. The rights of a portal link. Default: not a portal. */
  readonly rights?: readonly PortalRight[];
}

export type Place = 'own' | 'foreign';

/**
 * Returns the error code that the access table prescribes for this caller. Written independently of the API on purpose.
 */
export function expectedRefusal(
  { parameters }: Pick<RouteDefinition, 'parameters'>,
  { caller, place, access }: { caller: Caller; place: Place; access: GuardedAccess },
): ErrorCode | undefined {
  const { within } = access;
  if (caller.rights && !isOpenTo(caller.rights, access)) return 'FORBIDDEN';
  if (lacksScope(caller, access)) return 'AGENT_SCOPE_INSUFFICIENT';
  if (!caller.rights && !access.principals.includes(caller.kind)) return 'FORBIDDEN';
  if (caller.isLimited && ['person', 'organization'].includes(within) && !access.admitsLimited) return 'FORBIDDEN';
  if (within === 'person' || within === 'scope' || within === 'installation') return undefined;
  const organizationRole = place === 'own' ? caller.organizationRole : null;
  if (organizationRole === null) return { ...outside(parameters), header: 'WORKSPACE_ORG_MISMATCH' as const }[within];
  return organizationRole === 'admin' ? undefined : refusalOfMember(parameters, { within, caller, role: access.role });
}

function isOpenTo(rights: readonly PortalRight[], { portal }: GuardedAccess): boolean {
  return portal !== undefined && rights.includes(portal);
}

interface MemberCall {
  readonly caller: Caller;
  readonly within: 'organization' | 'workspace' | 'channel' | 'header';
  readonly role: GuardedAccess['role'];
}

function refusalOfMember(
  parameters: RouteDefinition['parameters'],
  { caller: { workspaceRole }, within, role }: MemberCall,
): ErrorCode | undefined {
  if (within === 'organization') return role === 'member' ? undefined : 'FORBIDDEN';
  // To a member without a workspace role, the workspace does not exist.
  if (workspaceRole === null) return { ...outside(parameters), header: 'WORKSPACE_NOT_FOUND' as const }[within];
  return isEnough(workspaceRole, role) ? undefined : 'FORBIDDEN';
}

function lacksScope({ scopes }: Caller, { scope, alsoScope }: GuardedAccess): boolean {
  return [scope, alsoScope].some((needed) => needed && scopes?.includes(needed) === false);
}

function isEnough(workspaceRole: 'admin' | 'developer' | 'member', needed: GuardedAccess['role']): boolean {
  if (needed === 'developer') return workspaceRole !== 'member';
  return needed === 'member' || (needed === 'admin' && workspaceRole === 'admin');
}

function outside(parameters: RouteDefinition['parameters']) {
  const { org, ws, ch } = parameters;
  return { organization: codeOf(org), workspace: codeOf(ws), channel: codeOf(ch) };
}

function codeOf(parameter: PathParameter | undefined): ErrorCode | undefined {
  return parameter === undefined || parameter.kind === 'platformId' ? undefined : parameter.notFound;
}
