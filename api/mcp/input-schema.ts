import { z } from 'zod';
import type { PathParameter, RouteDefinition } from '../../contract/routes/definition.ts';
import { idField } from '../../contract/schemas/fields.ts';
import { idempotencyKeyField } from '../../contract/schemas/idempotency-key.ts';
import { MAX_UPLOAD_BYTES } from './files.ts';
import { fieldSchema, type JsonObject, type ObjectSchema, objectSchema } from './json-schema.ts';

/** Ids are called as the answers call them (`channelId`), those of the platform's as the path does. */
export function argumentOf(name: string, { kind }: PathParameter): string {
  return kind === 'platformId' ? name : `${kind}Id`;
}

/** The fields of a request that are arguments of their own, whatever its body has. */
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
    fields.set(argumentOf(name, parameter), idSchema(parameter));
  if (takesWorkspace) fields.set('workspaceId', fieldSchema(workspaceField));
  if (query) for (const [name, schema] of properties(objectSchema(query, 'input'))) fields.set(name, schema);
  if (upload !== undefined)
    for (const [name, field] of Object.entries(fileFields)) fields.set(name, fieldSchema(field));
  if (idempotent) fields.set('idempotencyKey', fieldSchema(idempotencyKeyField));
  return fields;
}

const workspaceField = idField('workspace', 'The workspace that this is about; listWorkspaces names them.');
const fileFields = {
  contentType: z.string().meta({ description: 'The type of the file, such as image/jpeg.' }),
  data: z.string().meta({ description: `The file in base64; at most ${MAX_UPLOAD_BYTES} bytes before the encoding.` }),
};

function idSchema(parameter: PathParameter): JsonObject {
  if (parameter.kind !== 'platformId') return fieldSchema(idField(parameter.kind, `Id of the ${parameter.kind}.`));
  return fieldSchema(z.string().regex(parameter.pattern).meta({ description: parameter.description }));
}

/** Whether the body is one argument: it takes fields of any name, or one that another part of the request has. */
export function isBodyNested(route: RouteDefinition, own: ReadonlySet<string>): boolean {
  if (!route.body) return false;
  const isOpen = route.body.def.catchall !== undefined && !(route.body.def.catchall instanceof z.ZodNever);
  return isOpen || Object.keys(route.body.shape).some((name) => own.has(name));
}

/** What a tool is to be called with: ids, query, headers and body of its operation, side by side. */
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
  return { type: 'object', properties: Object.fromEntries(fields), required, additionalProperties: false };
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
