import { z } from 'zod';
import { type IdKind, idPrefixes } from '../../contract/ids.ts';
import type { PathParameter, RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { MAX_UPLOAD_BYTES } from './files.ts';
import { fieldSchema, type JsonObject, type ObjectSchema, objectSchema } from './json-schema.ts';
import { leanSchema } from './lean-schema.ts';

/** Ids are named as in responses (`channelId`), platform ids as in the path. */
export function argumentOf(name: string, { kind }: PathParameter): string {
  return kind === 'platformId' ? name : `${kind}Id`;
}

export function ownArguments({
  parameters,
  query,
  access,
  idempotent,
  upload,
}: RouteDefinition): Map<string, JsonObject> {
  const within = access.auth === 'none' ? undefined : access.within;
  const takesWorkspace = within === 'header' || within === 'scope';
  const fields = new Map<string, JsonObject>();
  for (const [name, parameter] of Object.entries(parameters))
    fields.set(argumentOf(name, parameter), parameterSchema(parameter));
  if (takesWorkspace) fields.set('workspaceId', idSchema('workspace'));
  if (query) for (const [name, schema] of properties(objectSchema(query, 'input'))) fields.set(name, schema);
  if (upload !== undefined)
    for (const [name, field] of Object.entries(fileFields)) fields.set(name, fieldSchema(field));
  if (idempotent) fields.set('idempotencyKey', idempotencyKeySchema);
  return fields;
}

function idSchema(kind: IdKind): JsonObject {
  return { type: 'string', pattern: `^${idPrefixes[kind]}` };
}

const idempotencyKeySchema: JsonObject = {
  type: 'string',
  maxLength: 255,
  description: 'A new value for each operation. Makes a repeat safe.',
};
const fileFields = {
  contentType: z.string().meta({ description: 'The type of the file, such as image/jpeg.' }),
  data: z.string().meta({ description: `The file in base64; at most ${MAX_UPLOAD_BYTES} bytes before the encoding.` }),
};

function parameterSchema(parameter: PathParameter): JsonObject {
  if (parameter.kind !== 'platformId') return idSchema(parameter.kind);
  return fieldSchema(z.string().regex(parameter.pattern).meta({ description: parameter.description }));
}

/** A body is nested if it allows unknown fields or its fields collide with other arguments. */
export function isBodyNested(route: RouteDefinition, own: ReadonlySet<string>): boolean {
  if (!route.body) return false;
  const isOpen = route.body.def.catchall !== undefined && !(route.body.def.catchall instanceof z.ZodNever);
  return isOpen || Object.keys(route.body.shape).some((name) => own.has(name));
}

export function inputSchemaOf(route: RouteDefinition): ObjectSchema {
  const own = ownArguments(route);
  const fields = new Map(own);
  const required = requiredOf(route);
  if (route.body && isBodyNested(route, new Set(own.keys()))) {
    fields.set('body', objectSchema(route.body, 'input'));
    required.push('body');
  } else if (route.body) {
    const body = objectSchema(route.body, 'input');
    for (const [name, schema] of properties(body)) fields.set(name, schema);
    required.push(...requiredNames(body));
  }
  if (fields.size === 0) return { type: 'object', additionalProperties: false }; // as the protocol recommends
  return { type: 'object', ...leanSchema({ properties: Object.fromEntries(fields), required }) };
}

function requiredOf({ parameters, query, access, upload }: RouteDefinition): string[] {
  return [
    ...Object.entries(parameters).map(([name, parameter]) => argumentOf(name, parameter)),
    ...(access.auth !== 'none' && access.within === 'header' ? ['workspaceId'] : []),
    ...(query ? requiredNames(objectSchema(query, 'input')) : []),
    ...(upload === undefined ? [] : Object.keys(fileFields)),
  ];
}

function properties(schema: ObjectSchema): [string, JsonObject][] {
  return Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonObject>>);
}

function requiredNames({ required }: ObjectSchema): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
