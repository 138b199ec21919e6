/** Example values by field. */
export type Values = Readonly<Record<string, unknown>>;

/** The parts of JSON schema that the document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly description?: string;
}

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Returns whether a value can be an example of a schema. Objects are compared by type only. */
export function fits(value: unknown, schema: JsonSchema, schemas: Schemas): boolean {
  const { $ref, anyOf, oneOf } = schema;
  if ($ref !== undefined) return fits(value, schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  const variants = anyOf ?? oneOf;
  if (variants) return variants.some((variant) => fits(value, variant, schemas));
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum) return schema.enum.includes(value);
  if (!hasType(value, schema)) return false;
  if (typeof value === 'string') return fitsText(value, schema);
  return typeof value !== 'number' || (value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value));
}

function hasType(value: unknown, { type }: JsonSchema): boolean {
  if (type === undefined) return true;
  const types: readonly string[] = typeof type === 'string' ? [type] : type;
  const name = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return types.includes(name) || (types.includes('integer') && Number.isInteger(value));
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT.+Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uri: /^https?:\/\//,
  email: /^[^@]+@[^@]+$/,
};

function fitsText(value: string, { pattern, format = '', maxLength = Infinity }: JsonSchema): boolean {
  if (value.length > maxLength || !(formats[format]?.test(value) ?? true)) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(value);
}
