import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { IdKind } from '../ids.ts';
import type { Scope } from '../scopes.ts';

/** An id in a path, and the refusal for one that is malformed, unknown, deleted or another tenant's. */
export interface PathParameter {
  readonly kind: IdKind;
  readonly notFound: ErrorCode;
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
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Status and body on success; null for no body. */
  readonly success: { readonly status: 200 | 201 | 202 | 204; readonly body: z.ZodObject | null };
  /** Answers with a body of their own besides the errors. */
  readonly otherAnswers?: Readonly<Record<number, z.ZodObject>>;
  /** Codes that this route adds to those that its access rule, ids, query and body bring with them. */
  readonly errors: readonly ErrorCode[];
}

/**
 * Who may call. `workspace` says where a workspace-scoped route takes its workspace from: the X-Workspace-Id header,
 * which it then needs, or the channel in its path, which a given header must agree with.
 */
export type Access =
  | { readonly auth: 'none' }
  | {
      readonly auth: 'api-key';
      readonly scope: Scope;
      readonly workspace: 'none' | 'header' | 'channel';
      readonly role: 'member' | 'admin';
    };

export const channelParameter = { kind: 'channel', notFound: 'CHANNEL_NOT_FOUND' } as const satisfies PathParameter;

/** Every code that the route can answer with, its own and those of its access rule. */
export function errorsOf({ access, parameters, body, errors }: RouteDefinition): ErrorCode[] {
  const codes = new Set<ErrorCode>(errors);
  for (const { notFound } of Object.values(parameters)) codes.add(notFound);
  if (body) for (const code of bodyErrors) codes.add(code);
  if (access.auth === 'api-key') {
    for (const code of guardedErrors) codes.add(code);
    if (access.role === 'admin' || access.workspace !== 'none') codes.add('FORBIDDEN');
    if (access.workspace !== 'none') for (const code of workspaceErrors) codes.add(code);
  }
  codes.add('INTERNAL');
  return [...codes];
}

const bodyErrors = ['MALFORMED_JSON', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const;
/** Unknown query parameters are refused everywhere, hence the validation error. */
const guardedErrors = [
  'VALIDATION_ERROR',
  'AUTH_REQUIRED',
  'CREDENTIAL_NOT_ACCEPTED_HERE',
  'AGENT_SCOPE_INSUFFICIENT',
] as const;
const workspaceErrors = ['WORKSPACE_NOT_FOUND', 'WORKSPACE_ORG_MISMATCH'] as const;
