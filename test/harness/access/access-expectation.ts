import type { ErrorCode } from '../../../contract/errors.ts';
import type {
  GuardedAccess,
  PathParameter,
  PrincipalKind,
  RouteDefinition,
} from '../../../openapi/definitions/route-definition.ts';
import type { Scope } from '../../../contract/identity/scopes.ts';

/** Who calls, in the words of the access table. */
export interface Caller {
  readonly kind: PrincipalKind;
  /** Null: not limited to scopes. */
  readonly scopes: readonly Scope[] | null;
  /** What the caller is in its own organization and in the workspace there. */
  readonly organizationRole: 'admin' | 'member' | null;
  readonly workspaceRole: 'admin' | 'developer' | 'member' | null;
}

export type Place = 'own' | 'foreign';

/**
 * What the access table says to this caller: the code of the refusal, undefined where it lets them through. Written
 * from the table's own words, and on purpose not with the API's code.
 */
export function expectedRefusal(
  { parameters }: Pick<RouteDefinition, 'parameters'>,
  { caller, place, access }: { caller: Caller; place: Place; access: GuardedAccess },
): ErrorCode | undefined {
  const { principals, within } = access;
  if (lacksScope(caller, access)) return 'AGENT_SCOPE_INSUFFICIENT';
  if (!principals.includes(caller.kind)) return 'FORBIDDEN';
  if (within === 'person' || within === 'scope' || within === 'installation') return undefined;
  const organizationRole = place === 'own' ? caller.organizationRole : null;
  if (organizationRole === null) return { ...outside(parameters), header: 'WORKSPACE_ORG_MISMATCH' as const }[within];
  return organizationRole === 'admin' ? undefined : refusalOfMember(parameters, { within, caller, role: access.role });
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
  // A workspace without a part in it exists for a member of its organization as little as another organization's does.
  if (workspaceRole === null) return { ...outside(parameters), header: 'WORKSPACE_NOT_FOUND' as const }[within];
  return isEnough(workspaceRole, role) ? undefined : 'FORBIDDEN';
}

function lacksScope({ scopes }: Caller, { scope, alsoScope }: GuardedAccess): boolean {
  return [scope, alsoScope].some((needed) => needed && scopes?.includes(needed) === false);
}

/** For somebody who is no admin of the organization. */
function isEnough(workspaceRole: 'admin' | 'developer' | 'member', needed: GuardedAccess['role']): boolean {
  if (needed === 'developer') return workspaceRole !== 'member';
  return needed === 'member' || (needed === 'admin' && workspaceRole === 'admin');
}

/** Another tenant's things do not exist. */
function outside(parameters: RouteDefinition['parameters']) {
  const { org, ws, ch } = parameters;
  return { organization: codeOf(org), workspace: codeOf(ws), channel: codeOf(ch) };
}

function codeOf(parameter: PathParameter | undefined): ErrorCode | undefined {
  return parameter === undefined || parameter.kind === 'platformId' ? undefined : parameter.notFound;
}
