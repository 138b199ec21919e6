import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import type { IdKind } from '../../contract/ids.ts';
import type { WorkspaceRole } from '../../contract/identity/roles.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { SecretKind } from '../../contract/identity/secret-kinds.ts';

/** An id of the service. `notFound` is the error for malformed, unknown, deleted and other tenants' ids. */
export interface PublicIdParameter {
  readonly kind: IdKind;
  readonly notFound: ErrorCode;
}

/** An id of the platform, percent-encoded in the path. Only its form is validated; the platform knows its owner. */
export interface PlatformIdParameter {
  readonly kind: 'platformId';
  readonly pattern: RegExp;
  readonly description: string;
}

export type PathParameter = PublicIdParameter | PlatformIdParameter;

/** An input that may not match the schemas, and the context that decides whether it is valid. */
export interface GivenInput {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Undefined if the path has no channel. */
  readonly channelType: ChannelType | undefined;
  /** Whether the request has the header X-Workspace-Id. */
  readonly hasWorkspace: boolean;
  readonly nowMs: number;
}

export interface RouteDefinition {
  readonly operationId: string;
  /** A short sentence without a full stop. */
  readonly summary: string;
  /** Optional. Sentences that the summary has no room for. */
  readonly description?: string;
  readonly tag: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces, as in OpenAPI. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, PathParameter>>;
  readonly access: Access;
  /** Optional. Secrets of a channel in the response, for callers who can see them. Each read is recorded. */
  readonly reveals?: readonly SecretKind[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Optional. Returns further faults, each as `part.field: reason`. They are reported together with those of the schemas. */
  readonly problems?: (input: GivenInput) => readonly string[];
  /** Optional. Describes the file that the route accepts instead of JSON, as the body or in a form. */
  readonly upload?: string;
  /** Optional. Accepts an Idempotency-Key. */
  readonly idempotent?: true;
  /** Optional. Describes the Location header, which errors after a change have too. */
  readonly location?: string;
  /** The body is null for a file or no body. */
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly body: z.ZodObject | null; readonly file?: true };
  /** Optional. Not an MCP tool, because it breaks running integrations and a person must decide. */
  readonly isForPeople?: true;
  /** Optional. Responds with server-sent events that have this data. */
  readonly eventStream?: z.ZodObject;
  /** Optional. Bodies by status, besides the errors. */
  readonly otherAnswers?: Readonly<Record<number, z.ZodObject>>;
  /** Codes besides those that `errorsOf` derives. */
  readonly errors: readonly ErrorCode[];
}

/** A person in a session, an organization's API key, or an agent's key with scopes. */
export const tenantPrincipals = ['user', 'api_key', 'agent'] as const;
/** No scope lets an agent decide who belongs to an organization. */
export const notAgents = ['user', 'api_key'] as const;
/** Staff belong to no organization. They can use only the routes that name them, in every organization. */
export const principalKinds = [...tenantPrincipals, 'staff'] as const;
export type PrincipalKind = (typeof principalKinds)[number];

/**
 * Who can call a route, and for which tenant. `within` tells where the tenant comes from:
 *
 * - `organization`, `workspace`, `channel`: the id in the path. With `channel`, X-Workspace-Id is optional and must match.
 * - `header`: the required header X-Workspace-Id.
 * - `scope`: the channel, workspace or organization that the input or the record names. X-Workspace-Id must match.
 * - `person`: none; the route is about the caller. `installation`: all tenants, for staff.
 *
 * The role is the one in the workspace, or in the organization if the workspace is unknown. An organization's admin is admin
 * of all its workspaces. `organization_admin` excludes admins of only the workspace.
 */
export type Access =
  | { readonly auth: 'none' }
  | {
      readonly auth: 'credential';
      readonly principals: readonly PrincipalKind[];
      /** The scope that an agent's key needs; null if it needs none or agents are not allowed. */
      readonly scope: Scope | null;
      /** Optional. A second scope that an agent's key needs. */
      readonly alsoScope?: Scope;
      readonly within: 'person' | 'organization' | 'workspace' | 'header' | 'channel' | 'installation' | 'scope';
      readonly role: WorkspaceRole | 'organization_admin';
    };
export type GuardedAccess = Extract<Access, { auth: 'credential' }>;

export const openAccess = { auth: 'none' } as const satisfies Access;

/** Returns the access of a route for members of organizations, by scope. */
export function byScope<const Within extends GuardedAccess['within']>(
  scope: Scope,
  { within, role = 'member' }: { readonly within: Within; readonly role?: GuardedAccess['role'] },
) {
  return { auth: 'credential', principals: tenantPrincipals, scope, within, role } as const;
}

/** Returns the access of a route that no scope opens, by the kind of its caller. */
export function byPrincipals<
  const Kinds extends readonly PrincipalKind[],
  const Within extends GuardedAccess['within'],
>(principals: Kinds, { within, role = 'member' }: { readonly within: Within; readonly role?: GuardedAccess['role'] }) {
  return { auth: 'credential', principals, scope: null, within, role } as const;
}

/** Returns all scopes that an agent's key needs. */
export function neededScopes({ scope, alsoScope }: GuardedAccess): Scope[] {
  return [scope, alsoScope].filter((each) => each !== null && each !== undefined);
}

/** Returns all error codes of a route, including those that its access, ids, query and body imply. */
export function errorsOf(route: RouteDefinition): ErrorCode[] {
  const { access, parameters, body, upload, errors, method, idempotent } = route;
  const codes = new Set<ErrorCode>(errors);
  for (const parameter of Object.values(parameters)) {
    if (parameter.kind !== 'platformId') codes.add(parameter.notFound);
  }
  if (access.auth === 'none' && body) codes.add('VALIDATION_ERROR').add('RATE_LIMITED');
  if (upload !== undefined) codes.add('UNSUPPORTED_MEDIA_TYPE').add('PAYLOAD_TOO_LARGE');
  if (body) for (const code of bodyErrors) codes.add(code);
  if (idempotent) codes.add('IDEMPOTENCY_KEY_REUSED');
  if (access.auth === 'credential') for (const code of accessErrors(access)) codes.add(code);
  // CSRF: a request with a session cookie must come from the service's own pages.
  if (access.auth === 'credential' && access.principals.includes('user') && method !== 'get') codes.add('FORBIDDEN');
  codes.add('INTERNAL').add('SERVICE_UNAVAILABLE');
  return [...codes];
}

function accessErrors({ principals, scope, within, role }: GuardedAccess): ErrorCode[] {
  // VALIDATION_ERROR, because every route rejects unknown query parameters.
  const codes: ErrorCode[] = ['VALIDATION_ERROR', 'AUTH_REQUIRED', 'CREDENTIAL_NOT_ACCEPTED_HERE', 'RATE_LIMITED'];
  if (scope !== null) codes.push('AGENT_SCOPE_INSUFFICIENT');
  const isForSome = principals.length < principalKinds.length;
  if (isForSome || role !== 'member' || !['person', 'organization'].includes(within)) codes.push('FORBIDDEN');
  if (['header', 'channel', 'scope'].includes(within)) codes.push(...headerErrors);
  return codes;
}

const bodyErrors = ['MALFORMED_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const;
const headerErrors = ['WORKSPACE_NOT_FOUND', 'WORKSPACE_ORG_MISMATCH'] as const;

/** Whether all fields of the body are optional, so that a request can omit the body. */
export function mayBeLeftOut(body: z.ZodObject): boolean {
  return body.safeParse({}).success;
}
