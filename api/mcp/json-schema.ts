import { z } from 'zod';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
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

export function fieldSchema(field: z.ZodType): JsonObject {
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
