import { isId } from '../../contract/ids.ts';
import { isBodyOptional, type RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { idempotencyKeyField } from '../../openapi/definitions/fields.ts';
import { InvalidRequest } from '../requests/errors.ts';
import { argumentOf, isBodyNested, ownArguments } from './input-schema.ts';

/** One flat object, not validated. */
export type ToolArguments = Readonly<Record<string, unknown>>;

export interface RequestParts {
  /** Throws InvalidRequest for missing ids. */
  readonly params: () => Readonly<Record<string, string>>;
  readonly workspaceId: () => string;
  readonly idempotencyKey: () => string | null;
  readonly query: Readonly<Record<string, unknown>>;
  /** Throws InvalidRequest if a nested body is missing. */
  readonly body: () => unknown;
  readonly file: { readonly contentType: unknown; readonly data: unknown };
}

export interface ArgumentPlan {
  readonly route: RouteDefinition;
  readonly own: ReadonlySet<string>;
  /** Whether the body is a single argument. */
  readonly isNested: boolean;
}

export function planArguments(route: RouteDefinition): ArgumentPlan {
  const own = new Set(ownArguments(route).keys());
  return { route, own, isNested: isBodyNested(route, own) };
}

/** Unknown arguments go into the body or the query, whose schema refuses them by name. */
export function sortArguments({ route, own, isNested }: ArgumentPlan, given: ToolArguments): RequestParts {
  const { parameters, query, body } = route;
  const strangers = Object.entries(given).filter(([name]) => !own.has(name) && !(isNested && name === 'body'));
  const asked = Object.keys(query?.shape ?? {}).flatMap((name) => (given[name] == null ? [] : [[name, given[name]]]));
  const isBodyFlat = body !== undefined && !isNested;
  const isBodySent = isBodyFlat && (strangers.length > 0 || !isBodyOptional(route));
  const flatBody = isBodySent ? Object.fromEntries(strangers) : undefined;
  return {
    params: () => idsOf(parameters, given),
    workspaceId: () => workspaceOf(route, own.has('workspaceId') ? given.workspaceId : undefined),
    idempotencyKey: () => keyOf(given.idempotencyKey),
    query: textFields([...asked, ...(isBodyFlat ? [] : strangers)]),
    body: () => (isNested ? bodyOf(given.body) : flatBody),
    file: { contentType: given.contentType, data: given.data },
  };
}

/** A refusal names parts of a request; the caller knows only the arguments of the tool. */
export function inArguments(message: string, { isNested }: ArgumentPlan): string {
  const named = message
    .replace(/(^|; )(?:query|path)\.(?=\w)/g, '$1')
    .replaceAll('the header X-Workspace-Id', 'workspaceId')
    .replaceAll('The header Idempotency-Key', 'idempotencyKey');
  return isNested ? named : named.replace(/(^|; )body: /g, '$1arguments: ').replace(/(^|; )body\.(?=\w)/g, '$1');
}

function idsOf(parameters: RouteDefinition['parameters'], given: ToolArguments): Readonly<Record<string, string>> {
  const ids = Object.entries(parameters).map(([name, parameter]) => {
    const argument = argumentOf(name, parameter);
    const id = given[argument];
    if (typeof id !== 'string') throw new InvalidRequest(`${argument}: must be a string.`);
    return [name, id];
  });
  return Object.fromEntries(ids);
}

function workspaceOf({ access }: RouteDefinition, id: unknown): string {
  const isNeeded = access.auth !== 'none' && access.within === 'header';
  if (id == null && !isNeeded) return '';
  if (isId('workspace', id)) return id;
  throw new InvalidRequest('workspaceId: must be the id of a workspace (ws_…). listWorkspaces returns them.');
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

/** Models write numbers and lists. The query schema refuses other values. */
function textFields(fields: readonly (readonly unknown[])[]): Readonly<Record<string, unknown>> {
  const isText = (value: unknown): boolean =>
    Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object';
  return Object.fromEntries(fields.map(([name, value]) => [name, isText(value) ? `${value}` : value]));
}
