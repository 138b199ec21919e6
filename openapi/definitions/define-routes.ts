import type { PathParameter, PlatformIdParameter, PublicIdParameter, RouteDefinition } from './route-definition.ts';
import type { z } from 'zod';
import type { TagName } from './tags.ts';

const publicIds: Readonly<Record<string, PublicIdParameter>> = {
  alr: { kind: 'alert', notFound: 'ALERT_NOT_FOUND' },
  ac: { kind: 'agentCredential', notFound: 'CREDENTIAL_NOT_FOUND' },
  ch: { kind: 'channel', notFound: 'CHANNEL_NOT_FOUND' },
  ctr: { kind: 'container', notFound: 'CONTAINER_NOT_FOUND' },
  dwr: { kind: 'webhookRollout', notFound: 'ROLLOUT_NOT_FOUND' },
  ers: { kind: 'erasure', notFound: 'ERASURE_NOT_FOUND' },
  inv: { kind: 'invitation', notFound: 'INVITATION_NOT_FOUND' },
  key: { kind: 'apiKey', notFound: 'CREDENTIAL_NOT_FOUND' },
  lst: { kind: 'listener', notFound: 'LISTENER_NOT_FOUND' },
  ol: { kind: 'onboardingLink', notFound: 'ONBOARDING_LINK_NOT_FOUND' },
  org: { kind: 'organization', notFound: 'ORGANIZATION_NOT_FOUND' },
  ptl: { kind: 'portalLink', notFound: 'PORTAL_LINK_NOT_FOUND' },
  rpl: { kind: 'replay', notFound: 'REPLAY_NOT_FOUND' },
  sm: { kind: 'scheduledMessage', notFound: 'SCHEDULED_MESSAGE_NOT_FOUND' },
  sp: { kind: 'scheduledPost', notFound: 'SCHEDULED_POST_NOT_FOUND' },
  sub: { kind: 'subscription', notFound: 'SUBSCRIPTION_NOT_FOUND' },
  usr: { kind: 'user', notFound: 'MEMBER_NOT_FOUND' },
  wd: { kind: 'delivery', notFound: 'DELIVERY_NOT_FOUND' },
  ws: { kind: 'workspace', notFound: 'WORKSPACE_NOT_FOUND' },
};

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Throws for an unknown name. */
function pathParameters(
  path: string,
  platformIds: Readonly<Record<string, PathParameter>> = {},
): Record<string, PathParameter> {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, parameterNamed(name, platformIds)]));
}

function parameterNamed(name: string, platformIds: Readonly<Record<string, PathParameter>>): PathParameter {
  const parameter = platformIds[name] ?? publicIds[name];
  if (!parameter)
    throw new Error(`Unknown path parameter {${name}}. Add it to publicIds or to the route's platformIds.`);
  return parameter;
}

type Derived = 'operationId' | 'tag' | 'method' | 'path' | 'parameters' | 'success' | 'errors';

export interface RouteSpec extends Omit<RouteDefinition, Derived> {
  /** Such as `GET /channels/{ch}`. */
  readonly route: `${Uppercase<RouteDefinition['method']>} /${string}`;
  /** Optional. Omit for no body. */
  readonly answer?: z.ZodObject | 'file';
  /** Optional. Default: 200, or 204 without an answer. */
  readonly status?: 201 | 202;
  /** Optional. Path parameters that are ids of the platform. */
  readonly platformIds?: Readonly<Record<string, PlatformIdParameter>>;
  /** Optional. In addition to those that `errorsOf` derives. */
  readonly errors?: RouteDefinition['errors'];
}

type DefinedRoute<Spec extends RouteSpec> = Omit<Spec, keyof ShortForms | 'errors'> &
  Pick<RouteDefinition, 'operationId' | 'tag' | 'method' | 'path' | 'errors'> & {
    readonly parameters: { readonly [Name in NamesIn<Spec['route']>]: PathParameter };
    readonly success: Success<Spec>;
  };
type ShortForms = Pick<RouteSpec, 'route' | 'answer' | 'status' | 'platformIds'>;
type Success<Spec> = Omit<RouteDefinition['success'], 'body' | 'file'> &
  (Spec extends { readonly answer: 'file' }
    ? { readonly body: null; readonly file: true }
    : { readonly body: Spec extends { readonly answer: infer Schema extends z.ZodObject } ? Schema : null });

/** Completes routes. Their names are their operation ids. */
export function defineRoutes<const Specs extends Readonly<Record<string, RouteSpec>>>(tag: TagName, specs: Specs) {
  const rows = Object.entries(specs).map(([operationId, spec]) => [operationId, complete(spec, { operationId, tag })]);
  // TypeScript loses the keys.
  return Object.fromEntries(rows) as { readonly [Id in keyof Specs]: DefinedRoute<Specs[Id]> };
}

function complete(spec: RouteSpec, names: Pick<RouteDefinition, 'operationId' | 'tag'>): RouteDefinition {
  const { route, answer: _answer, status: _status, platformIds, errors = [], ...others } = spec;
  const [method = '', path = ''] = route.split(' ');
  return {
    ...names,
    ...others,
    method: method.toLowerCase() as RouteDefinition['method'], // by the type of `route`
    path,
    parameters: pathParameters(path, platformIds),
    success: successOf(spec),
    errors,
  };
}

function successOf({ answer, status, eventStream }: RouteSpec): RouteDefinition['success'] {
  if (answer === 'file') return { status: 200, body: null, file: true };
  if (answer) return { status: status ?? 200, body: answer };
  return { status: eventStream ? 200 : 204, body: null };
}
