import type { z } from 'zod';
import { type NamesIn, pathParameters } from './path-parameters.ts';
import type { PathParameter, PlatformIdParameter, RouteDefinition } from './route-definition.ts';
import type { TagName } from './tags.ts';

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
