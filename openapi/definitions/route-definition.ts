import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import type { IdKind } from '../../contract/ids.ts';
import type { WorkspaceRole } from '../../contract/identity/roles.ts';
import type { PortalRight } from '../../contract/identity/portal.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { TagName } from './tags.ts';
import type { SecretKind } from '../../contract/identity/secret-kinds.ts';

/** `notFound` also stands for malformed, deleted and other tenants' ids. */
export interface PublicIdParameter {
  readonly kind: IdKind;
  readonly notFound: ErrorCode;
}

/** Percent-encoded. Only the form is validated. */
export interface PlatformIdParameter {
  readonly kind: 'platformId';
  readonly pattern: RegExp;
  /** What an error says: begins with "must". */
  readonly expected: string;
  readonly description: string;
}

export type PathParameter = PublicIdParameter | PlatformIdParameter;

/** Not validated; may not match the schemas. */
export interface UnvalidatedInput {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly channelType: ChannelType | undefined;
  readonly hasWorkspace: boolean;
  readonly nowMs: number;
}

export interface RouteDefinition {
  readonly operationId: string;
  /** Without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Optional. For the reference only: models pay for each sentence of a description. */
  readonly remarks?: string;
  readonly tag: TagName;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly parameters: Readonly<Record<string, PathParameter>>;
  readonly access: Access;
  /** Optional. The secrets in the response. Each read is recorded. */
  readonly reveals?: readonly SecretKind[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Optional. Returns problems as `part.field: reason`. */
  readonly problems?: (input: UnvalidatedInput) => readonly string[];
  /** Optional. Describes the file. */
  readonly upload?: string;
  readonly idempotent?: true;
  /** Optional. The cost grows with the stored data, so that it waits for its turn. */
  readonly isSlowRead?: true;
  /**
   * Optional. The pool of which each request holds a slot until its work ends, also after its client has left. Beyond
   * the caller's share, requests get 429.
   */
  readonly share?: 'interactive' | 'containers';
  /** Optional. Describes the Location header. */
  readonly location?: string;
  /** The body is null for a file. */
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly body: z.ZodObject | null; readonly file?: true };
  /** Optional. A person must decide, so it is not an MCP tool. */
  readonly isForPeople?: true;
  /** Optional. The data of server-sent events. */
  readonly eventStream?: z.ZodObject;
  /** Optional. The content type of the file. Default: any. */
  readonly fileType?: string;
  /** Optional. A line of the file, which consists of JSON lines. */
  readonly lines?: z.ZodType;
  /** Optional. Additional response bodies by status. */
  readonly otherAnswers?: Readonly<Record<number, z.ZodObject>>;
  /** In addition to those that `errorsOf` derives. */
  readonly errors: readonly ErrorCode[];
}

export const tenantPrincipals = ['user', 'api_key', 'agent'] as const;
/** Agents can't decide who belongs to an organization. */
export const notAgents = ['user', 'api_key'] as const;
/** Staff can use only the routes that name them, in every organization. */
export const principalKinds = [...tenantPrincipals, 'staff'] as const;
/** Portals can use only the routes that name a right, so no list of principals has them. */
export type PrincipalKind = (typeof principalKinds)[number] | 'portal';

/**
 * Who can call a route, and for which tenant. `within` is the source of the tenant:
 *
 * - `organization`, `workspace`, `channel`: the id in the path. With `channel`, X-Workspace-Id must match if sent.
 * - `header`: the required header X-Workspace-Id.
 * - `scope`: the channel, workspace or organization that the input or the record names. X-Workspace-Id must match.
 * - `person`: none; the route is about the caller. `installation`: all tenants, for staff.
 *
 * The role is the one in the workspace, or in the organization without a workspace. Organization admins are admins of
 * all workspaces. `organization_admin` excludes admins of only the workspace.
 */
export type Access =
  | { readonly auth: 'none' }
  | {
      readonly auth: 'credential';
      readonly principals: readonly PrincipalKind[];
      /** Null if agents need no scope or are not allowed. */
      readonly scope: Scope | null;
      readonly alsoScope?: Scope;
      readonly within: 'person' | 'organization' | 'workspace' | 'header' | 'channel' | 'installation' | 'scope';
      readonly role: WorkspaceRole | 'organization_admin';
      /** Optional. Admits keys that are limited to workspaces; for `person` and `organization`. Default: false. */
      readonly admitsLimited?: boolean;
      /** Optional. Admits sessions of portal links with this right. Default: none. Never on routes with secrets. */
      readonly portal?: PortalRight;
    };
export type GuardedAccess = Extract<Access, { auth: 'credential' }>;

export const openAccess = { auth: 'none' } as const satisfies Access;

/** For members of organizations; agents need the scope. */
export function byScope<const Within extends GuardedAccess['within']>(
  scope: Scope,
  { within, role = 'member' }: { readonly within: Within; readonly role?: GuardedAccess['role'] },
) {
  return { auth: 'credential', principals: tenantPrincipals, scope, within, role } as const;
}

/** Requires no scope and admits only these kinds of callers. */
export function byPrincipals<
  const Kinds extends readonly PrincipalKind[],
  const Within extends GuardedAccess['within'],
>(principals: Kinds, { within, role = 'member' }: { readonly within: Within; readonly role?: GuardedAccess['role'] }) {
  return { auth: 'credential', principals, scope: null, within, role } as const;
}

export function neededScopes({ scope, alsoScope }: GuardedAccess): Scope[] {
  return [scope, alsoScope].filter((each) => each !== null && each !== undefined);
}

/** Includes the codes that access, ids, query and body imply. */
export function errorsOf(route: RouteDefinition): ErrorCode[] {
  const { access, parameters, body, upload, errors, method, idempotent } = route;
  const codes = new Set<ErrorCode>(errors);
  for (const parameter of Object.values(parameters)) {
    if (parameter.kind !== 'platformId') codes.add(parameter.notFound);
  }
  if (access.auth === 'none' && body) codes.add('RATE_LIMITED');
  if (upload !== undefined) codes.add('UNSUPPORTED_MEDIA_TYPE').add('PAYLOAD_TOO_LARGE');
  if (body) for (const code of bodyErrors) codes.add(code);
  if (route.isSlowRead) codes.add('READ_TOO_SLOW');
  if (idempotent) codes.add('IDEMPOTENCY_KEY_REUSED');
  if (access.auth === 'credential') for (const code of accessErrors(access)) codes.add(code);
  // Requests with a session cookie must come from the service's own pages.
  if (access.auth === 'credential' && access.principals.includes('user') && method !== 'get') codes.add('FORBIDDEN');
  // Every route rejects unknown query parameters.
  codes.add('VALIDATION_ERROR').add('INTERNAL').add('SERVICE_UNAVAILABLE');
  return [...codes];
}

function accessErrors({ principals, scope, within, role, admitsLimited = false }: GuardedAccess): ErrorCode[] {
  const codes: ErrorCode[] = ['AUTH_REQUIRED', 'CREDENTIAL_NOT_ACCEPTED_HERE', 'RATE_LIMITED'];
  if (scope !== null) codes.push('AGENT_SCOPE_INSUFFICIENT');
  if (principals.some((kind) => kind === 'api_key' || kind === 'agent')) codes.push('ADDRESS_NOT_ALLOWED');
  const isForSome = principals.length < principalKinds.length;
  if (isForSome || role !== 'member' || !admitsLimited) codes.push('FORBIDDEN');
  if (['header', 'channel', 'scope'].includes(within)) codes.push(...headerErrors);
  return codes;
}

const bodyErrors = ['MALFORMED_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const;
const headerErrors = ['WORKSPACE_NOT_FOUND', 'WORKSPACE_ORG_MISMATCH'] as const;

/** A PUT or PATCH without a body would be an accident: it could only clear something, or change nothing. */
export function isBodyOptional({ method, body }: Pick<RouteDefinition, 'method' | 'body'>): boolean {
  return method === 'post' && body?.safeParse({}).success === true;
}
