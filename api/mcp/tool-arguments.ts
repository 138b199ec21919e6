import { isId } from '../../contract/ids.ts';
import type { RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { idempotencyKeyField } from '../../openapi/definitions/idempotency-key.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { argumentOf, isBodyNested, ownArguments } from './input-schema.ts';

/** What a tool is called with: one flat object, as the model wrote it. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** The arguments of a call, sorted into the parts of the request that they stand for. */
export interface RequestParts {
  /** Refuses ids that are missing. */
  readonly params: () => Readonly<Record<string, string>>;
  readonly workspaceId: () => string;
  readonly idempotencyKey: () => string | null;
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined: the operation takes none, or nothing of one is given. Refuses one that is an argument and missing. */
  readonly body: () => unknown;
  readonly file: { readonly contentType: unknown; readonly data: unknown };
}

/** Which arguments a route has of its own, and how it takes its body; worked out once. */
export interface ArgumentPlan {
  readonly route: RouteDefinition;
  readonly own: ReadonlySet<string>;
  /** Whether the body is an argument by itself. */
  readonly isNested: boolean;
}

export function planArguments(route: RouteDefinition): ArgumentPlan {
  const own = new Set(ownArguments(route).keys());
  return { route, own, isNested: isBodyNested(route, own) };
}

/**
 * Sorts the arguments. What no part knows goes where the route refuses it by name: into the body, or into the query
 * where there is no body to put it in.
 */
export function sortArguments({ route, own, isNested }: ArgumentPlan, given: ToolArguments): RequestParts {
  const { parameters, query, body } = route;
  const strangers = Object.entries(given).filter(([name]) => !own.has(name) && !(isNested && name === 'body'));
  const asked = Object.keys(query?.shape ?? {}).flatMap((name) => (given[name] == null ? [] : [[name, given[name]]]));
  const isBodyFlat = body !== undefined && !isNested;
  const flatBody = isBodyFlat && strangers.length > 0 ? Object.fromEntries(strangers) : undefined;
  return {
    params: () => idsOf(parameters, given),
    workspaceId: () => workspaceOf(route, own.has('workspaceId') ? given.workspaceId : undefined),
    idempotencyKey: () => keyOf(given.idempotencyKey),
    query: textFields([...asked, ...(isBodyFlat ? [] : strangers)]),
    body: () => (isNested ? bodyOf(given.body) : flatBody),
    file: { contentType: given.contentType, data: given.data },
  };
}

function idsOf(parameters: RouteDefinition['parameters'], given: ToolArguments): Readonly<Record<string, string>> {
  const ids = Object.entries(parameters).map(([name, parameter]) => {
    const argument = argumentOf(name, parameter);
    const id = given[argument];
    if (typeof id !== 'string') throw new InvalidRequest(`${argument}: a string is needed.`);
    return [name, id];
  });
  return Object.fromEntries(ids);
}

function workspaceOf({ access }: RouteDefinition, id: unknown): string {
  const isNeeded = access.auth !== 'none' && access.within === 'header';
  if (id == null && !isNeeded) return '';
  if (isId('workspace', id)) return id;
  throw new InvalidRequest('workspaceId: the id of a workspace (ws_…) is needed; listWorkspaces names them.');
}

function bodyOf(body: unknown): unknown {
  if (body == null) throw new InvalidRequest('body: an object is needed.');
  return body;
}

function keyOf(key: unknown): string | null {
  if (key == null) return null;
  const result = idempotencyKeyField.safeParse(key);
  if (!result.success) throw new InvalidRequest('idempotencyKey: must be 1 to 255 printable ASCII characters.');
  return result.data;
}

/** A query is text; models write numbers and lists. Whatever else they write, its schema refuses. */
function textFields(fields: readonly (readonly unknown[])[]): Readonly<Record<string, unknown>> {
  const isText = (value: unknown): boolean =>
    Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object';
  return Object.fromEntries(fields.map(([name, value]) => [name, isText(value) ? `${value}` : value]));
}
