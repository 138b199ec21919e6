import type { Json, JsonObject } from './json-schema.ts';

/** Tool lists fill a model's context. The operation checks values by the full schema. */
export function leanSchema(schema: JsonObject): JsonObject {
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

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
