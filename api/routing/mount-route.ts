import type { Readable } from 'node:stream';
import type Router from '@koa/router';
import { z } from 'zod';
import { isJsonObject } from '../../contract/is-json-object.ts';
import { isId } from '../../contract/ids.ts';
import type { PortalRight } from '../../contract/identity/portal.ts';
import { type GuardedAccess, neededScopes, type RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import type { ChannelRecord } from '../../db/channels/records.ts';
import { requireScope } from '../access/authenticate.ts';
import { parseBody, parseInput, collectProblems } from './parse-input.ts';
import { type Presentable, presentAnswer } from './present-answer.ts';
import { findTenancy, type OrganizationScope, type Tenancy, type WorkspaceScope } from '../access/tenancy.ts';
import { shareOwner } from '../requests/api-shares.ts';
import type { ApiDeps } from '../requests/deps.ts';
import { Forbidden, InvalidRequest, NotFound } from '../requests/errors.ts';
import { httpCall, type RouteCall, type UploadRequest } from './route-call.ts';
import type { ApiContext, ApiState, PortalAccess, Principal } from '../requests/state.ts';

export interface RouteRequest<Route extends RouteDefinition> {
  readonly principal: Principal & { readonly kind: KindOf<Route['access']> };
  readonly organization: Route['access'] extends { within: 'person' | 'installation' }
    ? undefined
    : OrganizationScope | (Route['access'] extends { within: 'scope' } ? undefined : never);
  readonly workspace: Route['access'] extends { within: 'workspace' | 'header' | 'channel' }
    ? WorkspaceScope
    : Route['access'] extends { within: 'scope' }
      ? WorkspaceScope | undefined
      : undefined;
  readonly mayReveal: Route['access'] extends { within: 'workspace' | 'header' | 'channel' } ? boolean : undefined;
  readonly channel: 'ch' extends keyof Route['parameters'] ? ChannelRecord : undefined;
  readonly params: { readonly [Name in keyof Route['parameters']]: string };
  readonly query: Output<Route['query']>;
  readonly body: Output<Route['body']>;
  readonly idempotencyKey: Route extends { readonly idempotent: true } ? string | null : undefined;
  readonly requestId: string;
  readonly callerRequestId: string | null;
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly upload: Route extends { readonly upload: string } ? UploadRequest : undefined;
  readonly setHeader: (name: string, value: string) => void;
  readonly gone: () => AbortSignal;
  /** Repeats the checks of a call that lasts, because access may have ended. The body is not read again. */
  readonly checkAgain: () => Promise<void>;
}

export interface Mount {
  readonly router: Router<ApiState>;
  readonly deps: ApiDeps;
  /** By operationId, for other transports. */
  readonly operations: Map<string, RunRoute>;
}

export type RunRoute = (call: RouteCall) => Promise<object | FileAnswer | void>;

export interface FileAnswer {
  readonly bytes: Readable;
  readonly contentType: string | null;
  readonly length: number | null;
}

type KindOf<Access> =
  | (Access extends { readonly principals: readonly (infer Kind)[] } ? Kind : never)
  | (Access extends { readonly portal: PortalRight } ? 'portal' : never);
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
export type RouteAnswer<Route extends RouteDefinition> = Route['success'] extends { readonly file: true }
  ? FileAnswer
  : Route['success']['body'] extends z.ZodType
    ? Presentable<z.input<Route['success']['body']>>
    : void;

/**
 * The order of checks is fixed and hides what the caller may not know: credential, scope, workspace header, form of
 * ids, workspace and channel, role. Errors in platform ids, query, other headers and body are reported together.
 */
export function mountRoute<const Route extends RouteDefinition>(
  { router, deps, operations }: Mount,
  route: Route,
  act: (request: RouteRequest<Route>) => Promise<RouteAnswer<Route>>,
): void {
  const perform = async (request: RouteRequest<Route>): Promise<RouteAnswer<Route>> => {
    if (route.isSlowRead) return await deps.slowReads.run(request, () => act(request));
    if (route.share === undefined) return await act(request);
    return await deps.shares[route.share].during(shareOwner(request), () => act(request));
  };
  const run = async (call: RouteCall): Promise<RouteAnswer<Route>> => {
    // TypeScript can't resolve the conditional types of a generic route.
    const answer = await perform((await checkedCall(call, deps, route)) as unknown as RouteRequest<Route>);
    return presentAnswer(route.success.body, answer) as RouteAnswer<Route>;
  };
  operations.set(route.operationId, run);
  router.register(routerPath(route.path), [route.method], async (ctx) => {
    ctx.set('cache-control', 'no-store'); // responses may contain secrets
    const body = await run(httpCall(ctx, deps));
    ctx.status = route.success.status;
    if (route.success.file) return answerFile(ctx, body as FileAnswer); // `OperationAnswer` has the same condition
    ctx.body = body ?? null;
    ctx.status = route.success.status; // Koa sets 204 for an empty body
  });
}

/** Refuses query parameters on routes that take none. */
export const noQuery = z.strictObject({});

export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

export async function checkedRequest(
  ctx: ApiContext & { params: Record<string, string> },
  deps: ApiDeps,
  route: RouteDefinition,
) {
  return await checkedCall(httpCall(ctx, deps), deps, route);
}

async function checkedCall(given: RouteCall, deps: ApiDeps, route: RouteDefinition) {
  const call = withBodyReadOnce(given);
  const { access } = route;
  if (access.auth === 'none') throw new Error(`${route.operationId} is open and has no principal`);
  const principal = await call.authenticate(deps);
  requirePrincipal(principal, access);
  const params = call.params();
  const tenancy = await findTenancy(deps.db, {
    principal,
    access,
    params,
    workspaceId: call.workspaceId,
    checkIds: () => checkIds(params, route),
  });
  if (tenancy.workspace) call.logFields.workspaceId = tenancy.workspace.publicId;
  const input = await inputOf(call, route, tenancy);
  const { requestId, callerRequestId, clientAddress, userAgent, setHeader, gone } = call;
  return {
    principal,
    ...tenancy,
    params,
    ...input,
    upload: route.upload === undefined ? undefined : call.upload(),
    requestId,
    callerRequestId,
    clientAddress,
    userAgent,
    setHeader,
    gone,
    checkAgain: async (): Promise<void> => {
      const { rateLimits: _counted, ...uncounted } = deps;
      await checkedCall(call, uncounted, route);
    },
  };
}

function withBodyReadOnce(call: RouteCall): RouteCall {
  let body: Promise<unknown> | undefined;
  return { ...call, body: () => (body ??= call.body()) };
}

/** Throws one error that names every invalid field. */
async function inputOf(call: RouteCall, route: RouteDefinition, { channel, workspace }: Tenancy) {
  const problems = collectProblems();
  await problems.from(() => checkPlatformIds(call.params(), route));
  const query = await problems.from(() => parseInput(route.query ?? noQuery, call.query(), 'query'));
  const idempotencyKey = route.idempotent && (await problems.from(call.idempotencyKey));
  let given: unknown;
  const readBody = async () => parseBody(route, (given = await call.body()));
  const body = route.body && (await problems.from(readBody));
  const others = { channelType: channel?.type, hasWorkspace: workspace !== undefined, nowMs: Date.now() };
  problems.add(
    route.problems?.({ query: { ...call.query() }, body: isJsonObject(given) ? given : {}, ...others }) ?? [],
  );
  problems.refuse();
  return { query, body, idempotencyKey };
}

function requirePrincipal(principal: Principal, access: GuardedAccess): void {
  const { principals, portal } = access;
  if (principal.portal) requireRight(principal.portal, portal);
  for (const scope of neededScopes(access)) requireScope(principal, scope);
  if (!principal.portal && !principals.includes(principal.kind)) {
    const accepted = principals.map((kind) => credentialNames[kind]).join(' and ');
    throw new Forbidden(`This operation does not accept ${credentialNames[principal.kind]}. It accepts ${accepted}.`);
  }
}

/** Routes admit portals by name only. */
function requireRight({ rights }: PortalAccess, needed: PortalRight | undefined): void {
  if (needed === undefined) throw new Forbidden('This operation does not accept portal sessions.');
  if (!rights.includes(needed)) throw new Forbidden(`This portal link lacks the right ${needed}.`);
}

const credentialNames = {
  user: 'sessions',
  api_key: 'API keys',
  agent: 'keys that are limited to scopes',
  staff: 'keys of staff',
  portal: 'portal sessions',
} as const;

/** Malformed ids are not found, like unknown ones. */
export function checkIds(params: Readonly<Record<string, string>>, { parameters }: RouteDefinition): void {
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.kind !== 'platformId' && !isId(parameter.kind, params[name])) throw new NotFound(parameter.notFound);
  }
}

function checkPlatformIds(params: Readonly<Record<string, string>>, { parameters }: RouteDefinition): void {
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.kind !== 'platformId' || parameter.pattern.test(params[name] ?? '')) continue;
    throw new InvalidRequest(`path.${name}: ${parameter.expected}.`);
  }
}

/** Destroys the connection on an error, so that a truncated file does not look complete. */
function answerFile(ctx: ApiContext, { bytes, contentType, length }: FileAnswer): void {
  const { status } = ctx;
  ctx.body = bytes;
  ctx.status = status;
  ctx.set('content-type', contentType ?? 'application/octet-stream');
  ctx.set('content-disposition', 'attachment');
  if (length !== null) ctx.set('content-length', String(length));
  bytes.once('error', () => ctx.res.destroy());
}
