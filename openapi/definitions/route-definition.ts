import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ChannelType } from '../../contract/event-types.ts';
import type { IdKind } from '../../contract/ids.ts';
import type { WorkspaceRole } from '../../contract/identity/roles.ts';
import type { Scope } from '../../contract/identity/scopes.ts';
import type { SecretKind } from '../../contract/identity/secret-kinds.ts';

/** An id of ours in a path, and the refusal for one that is malformed, unknown, deleted or another tenant's. */
export interface PublicIdParameter {
  readonly kind: IdKind;
  readonly notFound: ErrorCode;
}

/**
 * An id of the platform's in a path, which may stand there encoded. One of the wrong form is invalid; whose it is and
 * whether there is such a thing, the platform says.
 */
export interface PlatformIdParameter {
  readonly kind: 'platformId';
  readonly pattern: RegExp;
  readonly description: string;
}

export type PathParameter = PublicIdParameter | PlatformIdParameter;

/** An input as it came, checked or not, and what decides besides its form whether it is right. */
export interface GivenInput {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Where the path names a channel. */
  readonly channelType: ChannelType | undefined;
  /** Whether the X-Workspace-Id header names one. */
  readonly hasWorkspace: boolean;
  readonly nowMs: number;
}

export interface RouteDefinition {
  readonly operationId: string;
  readonly summary: string;
  readonly tag: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, PathParameter>>;
  readonly access: Access;
  /** The secrets of a channel that the answer shows to callers who may see them. Each showing is recorded. */
  readonly reveals?: readonly SecretKind[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** What no schema can tell is wrong, each as `part.field: why`; it is named beside what the schemas find. */
  readonly problems?: (input: GivenInput) => readonly string[];
  /** Takes a file, bare or in a form, instead of JSON; what its bytes are for. */
  readonly upload?: string;
  /** Takes an Idempotency-Key: the same key with the same body is the same act, however often it is asked for. */
  readonly idempotent?: true;
  /** Names what its answer is about in Location; refusals that come once something was stored do so too. */
  readonly location?: string;
  /** Status and body on success; null for no body, or for a file. */
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly body: z.ZodObject | null; readonly file?: true };
  /** Not offered to models as a tool: it breaks running integrations, so a person must decide. */
  readonly isForPeople?: true;
  /** Answers with server-sent events instead of a body: what each of them carries as its data. */
  readonly eventStream?: z.ZodObject;
  /** Answers with a body of their own besides the errors. */
  readonly otherAnswers?: Readonly<Record<number, z.ZodObject>>;
  /** Codes that this route adds to those that its access rule, ids, query and body bring with them. */
  readonly errors: readonly ErrorCode[];
}

/** Who belongs to organizations: a person in a session, an organization's API key, or an agent's key with scopes. */
export const tenantPrincipals = ['user', 'api_key', 'agent'] as const;
/** No scope lets an agent decide who belongs to an organization. */
export const notAgents = ['user', 'api_key'] as const;
/** Staff belong to none: they reach the routes that name them, in every organization, and no other. */
export const principalKinds = [...tenantPrincipals, 'staff'] as const;
export type PrincipalKind = (typeof principalKinds)[number];

/**
 * Who may call, and within what. `within` says where the tenant comes from: the organization or the workspace in the
 * path; the X-Workspace-Id header, which the route then needs; or the channel in the path, which a given header must
 * agree with. `person` has none: the route is about whoever calls; `installation` is all of them, for staff; `scope` is the channel, workspace or
 * organization that the route's own input or record names, which a given header must agree with. The role is the one in the workspace, or in the
 * organization where no workspace is known; an organization's admin is one in all of its workspaces, and
 * `organization_admin` asks for that one where a workspace's own admin is not enough.
 */
export type Access =
  | { readonly auth: 'none' }
  | {
      readonly auth: 'credential';
      readonly principals: readonly PrincipalKind[];
      /** What an agent's key must have been given; null where nothing is asked of one, or no agent may call. */
      readonly scope: Scope | null;
      /** A second scope that an agent's key needs besides. */
      readonly alsoScope?: Scope;
      readonly within: 'person' | 'organization' | 'workspace' | 'header' | 'channel' | 'installation' | 'scope';
      readonly role: WorkspaceRole | 'organization_admin';
    };
export type GuardedAccess = Extract<Access, { auth: 'credential' }>;

export const openAccess = { auth: 'none' } as const satisfies Access;

/** The access of most routes: whoever belongs to organizations, by this scope. */
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

/** Returns the scopes that an agent's key needs, all of them. */
export function neededScopes({ scope, alsoScope }: GuardedAccess): Scope[] {
  return [scope, alsoScope].filter((each) => each !== null && each !== undefined);
}

/** Every code that the route can answer with, its own and those of its access rule. */
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
  // A cookie alone is not enough to change anything: the browser must say that the page is one of ours.
  if (access.auth === 'credential' && access.principals.includes('user') && method !== 'get') codes.add('FORBIDDEN');
  codes.add('INTERNAL').add('SERVICE_UNAVAILABLE');
  return [...codes];
}

function accessErrors({ principals, scope, within, role }: GuardedAccess): ErrorCode[] {
  // Unknown query parameters are refused everywhere, hence the validation error.
  const codes: ErrorCode[] = ['VALIDATION_ERROR', 'AUTH_REQUIRED', 'CREDENTIAL_NOT_ACCEPTED_HERE', 'RATE_LIMITED'];
  if (scope !== null) codes.push('AGENT_SCOPE_INSUFFICIENT');
  const isForSome = principals.length < principalKinds.length;
  if (isForSome || role !== 'member' || !['person', 'organization'].includes(within)) codes.push('FORBIDDEN');
  if (['header', 'channel', 'scope'].includes(within)) codes.push(...headerErrors);
  return codes;
}

const bodyErrors = ['MALFORMED_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const;
const headerErrors = ['WORKSPACE_NOT_FOUND', 'WORKSPACE_ORG_MISMATCH'] as const;

/** Whether a request may come without a body: all of its fields may be left out. */
export function mayBeLeftOut(body: z.ZodObject): boolean {
  return body.safeParse({}).success;
}
