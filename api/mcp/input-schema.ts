import { z } from 'zod';
import { type IdKind, idPrefixes } from '../../contract/ids.ts';
import type { PathParameter, RouteDefinition } from '../../openapi/definitions/route-definition.ts';
import { MAX_UPLOAD_BYTES } from './files.ts';

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

/** Tool lists fill a model's context. The operation checks values by the full schema. */
function leanSchema(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(withoutUnion(schema)).flatMap(([key, value]) => leanEntry(key, value)));
}

/** Of texts and lists. */
const lengths: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems']);

/** Writes a number, text or list that may be null without a union. */
function withoutUnion(schema: JsonObject): JsonObject {
  const { anyOf, ...others } = schema;
  if (!isList(anyOf ?? null)) return schema;
  const [one, other, ...rest] = anyOf as readonly JsonObject[];
  if (rest.length > 0 || other?.['type'] !== 'null' || typeof one?.['type'] !== 'string' || 'enum' in one)
    return schema;
  return { ...one, type: [one['type'], 'null'], ...others };
}

function leanEntry(key: string, value: Json): [string, Json][] {
  if (typeof value === 'string') return leanText(key, value);
  if (key === 'additionalProperties' && value === false) return []; // the operation refuses unknown fields
  if (typeof value === 'number' && lengths.has(key)) return [];
  if (key === 'propertyNames') return [];
  if (key === 'required' && isList(value) && value.length === 0) return [];
  if (key === 'allOf' && isList(value)) {
    const parts = value.map(leanValue).filter((part) => !isEmpty(part));
    return parts.length === 0 ? [] : [[key, parts]];
  }
  return [[key, leanValue(value)]];
}

/** An argument may be named like a keyword (`description`), but is an object. */
function leanText(key: string, text: string): [string, string][] {
  if (key === 'pattern') return leanPattern(text);
  if (key !== 'description') return [[key, text]];
  return PAGE_SIZE.test(text) ? [] : [[key, text.replaceAll('X-Workspace-Id', 'workspaceId')]];
}

/** `limit` and its bounds already say this. */
const PAGE_SIZE = /^Records per page; \d+ by default\.$/;

function leanValue(value: Json): Json {
  if (isList(value)) return value.map(leanValue);
  return typeof value === 'object' && value !== null ? leanSchema(value) : value;
}

function leanPattern(pattern: string): [string, string][] {
  if (carelessPatterns.has(pattern) || pattern.length > MAX_PATTERN_LENGTH) return [];
  return [['pattern', pattern.replace(/_\[A-Za-z0-9\]\{8\}\$$/, '_')]];
}

/** Longer patterns list words that the description names. */
const MAX_PATTERN_LENGTH = 80;

/** Patterns of values that models only copy. */
const carelessPatterns: ReadonlySet<string> = new Set([
  String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`,
  String.raw`^\S(?:.*\S)?$`,
  String.raw`\S`,
  '^[^:]*$',
  String.raw`^[\x21-\x7e]+$`,
  '^[A-Za-z0-9_]{1,64}$',
  '^[A-Za-z0-9_-]{1,2048}$',
  String.raw`^\d{1,19}_wd_[A-Za-z0-9]{8}$`,
  String.raw`^\d{1,40}(?:_\d{1,40}){0,2}$`,
  String.raw`^(?=.*\d)[A-Za-z0-9_=:-]{1,256}$`,
  '^[A-Za-z0-9_.:=+/$-]{1,256}$',
]);

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

type Json = null | boolean | number | string | readonly Json[] | JsonObject;
interface JsonObject {
  readonly [key: string]: Json;
}

/** Without references, which not every client resolves. */
export interface ObjectSchema extends JsonObject {
  readonly type: 'object';
}

export function objectSchema(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const json = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: ({ jsonSchema }) => tidy(jsonSchema) });
  const { $schema: _dialect, $defs = {}, ...root } = JSON.parse(JSON.stringify(json)) as Record<string, JsonObject>;
  return { ...inlined(root, $defs as Readonly<Record<string, JsonObject>>), type: 'object' };
}

function fieldSchema(field: z.ZodType): JsonObject {
  const { properties } = objectSchema(z.object({ field }), 'input');
  return (properties as { readonly field: JsonObject }).field;
}

/** Drops patterns that repeat a format, and the bounds of safe integers. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

const REFERENCE = '#/$defs/';

/** No schema refers to itself. */
function inlined(schema: JsonObject, definitions: Readonly<Record<string, JsonObject>>): JsonObject {
  const { $ref, ...rest } = schema;
  const target = typeof $ref === 'string' ? definitions[$ref.slice(REFERENCE.length)] : undefined;
  if (target) return inlined({ ...target, ...rest }, definitions);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlinedValue(value, definitions)]));
}

function inlinedValue(value: Json, definitions: Readonly<Record<string, JsonObject>>): Json {
  if (isList(value)) return value.map((item) => inlinedValue(item, definitions));
  return typeof value === 'object' && value !== null ? inlined(value, definitions) : value;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
