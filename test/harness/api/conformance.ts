import { z } from 'zod';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

export interface Answered {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Statuses of requests that match no operation. */
const ROUTELESS = new Set([404, 405]);

/** Returns how a response violates the OpenAPI document: undocumented status, wrong body. */
export function problemsOfAnswer(document: object, answer: Answered): string[] {
  const text = JSON.parse(JSON.stringify(document)) as JsonObject;
  const problems = answer.headers.get('x-request-id') ? [] : ['there is no x-request-id'];
  const operation = findOperation(text, answer);
  if (!operation) {
    if (ROUTELESS.has(answer.status)) return [...problems, ...bodyProblems(errorSchemaOf(text), answer.body)];
    return answer.status === 204 ? problems : [...problems, 'the route is not in the document'];
  }
  const response = at(operation, 'responses', String(answer.status));
  if (!isObject(response))
    return [...problems, `status ${answer.status} is not documented: ${JSON.stringify(answer.body)}`];
  const schema = at(response, 'content', 'application/json', 'schema');
  if (isObject(schema)) return [...problems, ...bodyProblems(inline(schema, text), answer.body)];
  return answer.body === '' || at(response, 'content') !== undefined
    ? problems
    : [...problems, 'a body is not documented'];
}

function bodyProblems(schema: JsonObject, body: unknown): string[] {
  const result = z.fromJSONSchema(schema).safeParse(body);
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

function findOperation(document: JsonObject, { method, path }: Answered): JsonObject | undefined {
  const [pathname = ''] = path.split('?');
  const paths = Object.entries(at(document, 'paths') as JsonObject);
  const item = paths.find(([template]) => matches(template, pathname))?.[1];
  const operation = at(item, method.toLowerCase());
  return isObject(operation) ? operation : undefined;
}

function matches(template: string, pathname: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
}

function errorSchemaOf(document: JsonObject): JsonObject {
  return inline(at(document, 'components', 'schemas', 'Error') as JsonObject, document);
}

/** Inlines components; the document has no recursive ones. */
function inline<Value extends Json>(value: Value, document: JsonObject): Value {
  if (Array.isArray(value)) return value.map((item: Json) => inline(item, document)) as unknown as Value;
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string') return inline(at(document, ...value.$ref.slice(2).split('/')) as Value, document);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, inline(item, document)]),
  ) as unknown as Value;
}

function at(value: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
