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

const ROUTELESS = new Set([404, 405]);

/** Returns a function that reports how a response violates the OpenAPI document: undocumented status, wrong body. */
export function answerCheck(documentText: string): (answer: Answered) => string[] {
  const document = JSON.parse(documentText) as JsonObject;
  const operationAt = operationFinder(document);
  const bodyProblems = bodyCheck(document);
  const errorSchema = at(document, 'components', 'schemas', 'Error') as JsonObject;

  return (answer) => {
    const problems = answer.headers.get('x-request-id') ? [] : ['there is no x-request-id'];
    const operation = operationAt(answer);
    if (!operation) {
      if (ROUTELESS.has(answer.status)) return [...problems, ...bodyProblems(errorSchema, answer.body)];
      return answer.status === 204 ? problems : [...problems, 'the route is not in the document'];
    }
    const response = resolved(at(operation, 'responses', String(answer.status)), document);
    if (!isObject(response))
      return [...problems, `status ${answer.status} is not documented: ${JSON.stringify(answer.body)}`];
    const schema = at(response, 'content', 'application/json', 'schema');
    if (isObject(schema))
      return [...problems, ...bodyProblems(schema, answer.body), ...codeProblems(response, answer.body)];
    return answer.body === '' || at(response, 'content') !== undefined
      ? problems
      : [...problems, 'a body is not documented'];
  };
}

/** The schema of errors is open. Their codes are named examples of the response. */
function codeProblems(response: JsonObject, body: unknown): string[] {
  const media = at(response, 'content', 'application/json');
  if (!isObject(media) || !isError(at(media, 'schema'))) return [];
  const { code, ...others } = body as Readonly<Record<string, string>>;
  const fields = Object.keys(others).filter((name) => !['statusCode', 'message', 'requestId'].includes(name));
  return [
    ...(at(media, 'examples', code ?? '') === undefined ? [`the code ${code} is not documented`] : []),
    ...fields.map((name) => `the field ${name} is not documented`),
  ];
}

function isError(schema: Json | undefined): boolean {
  return isObject(schema) && schema.$ref === '#/components/schemas/Error';
}

function resolved(value: Json | undefined, document: JsonObject): Json | undefined {
  return isObject(value) && typeof value.$ref === 'string' ? at(document, ...value.$ref.slice(2).split('/')) : value;
}

/** Returns a check of bodies that compiles each schema of the document once. */
function bodyCheck(document: JsonObject): (schema: JsonObject, body: unknown) => string[] {
  const compiled = new Map<JsonObject, z.ZodType>();
  return (schema, body) => {
    const validator = compiled.get(schema) ?? z.fromJSONSchema(inline(schema, document));
    compiled.set(schema, validator);
    const result = validator.safeParse(body);
    return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  };
}

function operationFinder(document: JsonObject): (answer: Answered) => JsonObject | undefined {
  const items = Object.entries(at(document, 'paths') as JsonObject).map(([template, item]) => ({
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    item,
  }));
  return ({ method, path }) => {
    const [pathname = ''] = path.split('?');
    const operation = at(items.find(({ pattern }) => pattern.test(pathname))?.item, method.toLowerCase());
    return isObject(operation) ? operation : undefined;
  };
}

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
