import { z } from 'zod';

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly examples?: readonly unknown[];
}

/** Returns a valid body. Throws if it can't make one for the schema. */
export function sampleOf(schema: z.ZodObject): unknown {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const resolved = resolve(json, json.$defs ?? {});
  const bodies = [
    sample(resolved),
    sample(resolved, true),
    ...eachOptionalAlone(resolved),
    ...(resolved.examples ?? []),
  ];
  const fitting = bodies.find((body) => schema.safeParse(body).success);
  if (fitting === undefined) throw new Error(`No sample of the body ${JSON.stringify(json)}`);
  return fitting;
}

function eachOptionalAlone({ properties = {}, required = [] }: JsonSchema): unknown[] {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return optional.map((name) => sample({ properties, required: [...required, name] }));
}

function resolve(value: unknown, definitions: Readonly<Record<string, unknown>>): JsonSchema {
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && '$ref' in inner
        ? definitions[String(inner.$ref).replace('#/$defs/', '')]
        : inner,
    ),
  );
}

function sample(schema: JsonSchema, withOptional = false): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0], withOptional);
  if (schema.examples && Object.keys(schema.properties ?? {}).length === 0) return schema.examples[0];
  if (schema.properties) {
    const named = Object.entries(schema.properties);
    const chosen = named.filter(([name]) => withOptional || schema.required?.includes(name));
    return Object.fromEntries(
      chosen.map(([name, inner]) => [name, byName(name, inner) ?? sample(inner, withOptional)]),
    );
  }
  const { items } = schema;
  if (items) return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => sample(items, withOptional));
  if (schema.type === 'string') return sampleText(schema);
  if (schema.type === 'boolean') return true;
  return schema.minimum ?? 1;
}

/** Covers rules that the JSON schema does not express. */
function byName(name: string, { format, type }: JsonSchema): string | undefined {
  if (name === 'until' && format === 'date-time') return '2999-01-02T00:00:00Z';
  return name === 'email' && type === 'string' ? 'sample@example.com' : undefined;
}

const candidates = [
  'sample',
  'webhook',
  'sample@example.com',
  'https://sample.example.com/',
  '2999-01-01T00:00:00Z',
  '123456',
  'channel:ch_00000000',
  'x'.repeat(43),
];

function sampleText({ format, pattern, minLength = 0 }: JsonSchema): string {
  const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  const prefixed = /^\^(\w+_)/.exec(pattern ?? '')?.[1];
  if (prefixed) return `${prefixed}00000000`;
  if (format === 'email') return 'sample@example.com';
  if (format === 'uri') return 'https://sample.example.com/';
  if (format === 'date-time') return '2999-01-01T00:00:00Z';
  const fits = (text: string) => text.length >= minLength && (expression?.test(text) ?? true);
  return candidates.find(fits) ?? '';
}
