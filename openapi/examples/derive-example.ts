import { componentValues } from './component-values.ts';
import { fieldValues, idValues } from './field-values.ts';
import { fits, type JsonSchema } from './json-schema.ts';

/**
 * Makes the examples of the document from its schemas. Values come, in this order, from the component, from the name of
 * the field, and from the form of ids. A field is null only if one of them says so. Optional fields are shown only if a
 * component or an operation names them.
 */
export interface ExampleWorld {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The id of the channel, which differs by type of channel. */
  readonly channelId: string;
  /** Receives the fields without a value. */
  readonly missing: (field: string) => void;
}

/** The place of a schema in the document. */
interface Place {
  readonly component: string;
  readonly field: string;
}

export function deriveExample(world: ExampleWorld, schema: JsonSchema, place: Place): unknown {
  const named = namedValue(world, schema, place);
  if (named !== undefined) return named;
  if (schema.$ref !== undefined) return deriveComponent(world, schema.$ref.split('/').at(-1) ?? '');
  if (schema.const !== undefined) return schema.const;
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return deriveExample(world, variants.find((variant) => !isNull(variant)) ?? {}, place);
  if (schema.enum) return schema.enum[0];
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => deriveExample(world, part, place)));
  return deriveByType(world, schema, place);
}

export function deriveComponent(world: ExampleWorld, component: string, more: Values = {}): unknown {
  const schema = world.schemas[component];
  if (!schema) throw new Error(`Unknown schema ${component}`);
  const values = { ...componentValues[component], ...more };
  const isOpen = Object.keys(schema.properties ?? {}).length === 0;
  if (isOpen && Object.keys(values).length > 0) return values;
  if (isOpen) return deriveExample(world, schema, { component, field: component });
  return deriveObject(world, schema, { component, values });
}

type Values = Readonly<Record<string, unknown>>;

export function deriveObject(
  world: ExampleWorld,
  { properties = {}, required = [] }: JsonSchema,
  { component, values }: { readonly component: string; readonly values: Values },
): object {
  const shown = Object.entries(properties).filter(([field]) => required.includes(field) || field in values);
  const derived = shown.map(([field, schema]) => [
    field,
    field in values ? values[field] : deriveExample(world, schema, { component, field }),
  ]);
  return Object.fromEntries(derived);
}

function namedValue(world: ExampleWorld, schema: JsonSchema, { field }: Place): unknown {
  const value = fieldValues[field]?.find((candidate) => fits(candidate, schema, world.schemas));
  return value === undefined ? idOf(world, schema) : value;
}

function deriveByType(world: ExampleWorld, schema: JsonSchema, { component, field }: Place): unknown {
  const types = [schema.type ?? []].flat();
  if (types.includes('array')) {
    const item = deriveExample(world, schema.items ?? {}, { component, field: singular(field) });
    return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => item);
  }
  if (types.includes('object')) return deriveObject(world, schema, { component: `${component}.${field}`, values: componentValues[`${component}.${field}`] ?? {} }); // prettier-ignore
  if (types.includes('boolean')) return true;
  world.missing(`${component}.${field}`);
  return undefined;
}

function idOf({ channelId }: ExampleWorld, { pattern = '' }: JsonSchema): string | undefined {
  const prefix = /^\^([a-z]+_)\[A-Za-z0-9\]\{8\}\$$/.exec(pattern)?.[1];
  if (prefix === 'ch_') return channelId;
  return prefix === undefined ? undefined : idValues[prefix];
}

function isNull({ type }: JsonSchema): boolean {
  return type === 'null';
}

function singular(field: string): string {
  return field.replace(/ies$/, 'y').replace(/s$/, '');
}
