import type { IncomingMessage } from 'node:http';
import { readBody } from '../servers/http-server.ts';
import type { JsonObject } from '../webhooks/item.ts';
import { Refusal, refusals } from './refusals.ts';

export interface Incoming {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly method: string;
}

export interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Parameters of the body override those of the query. */
export interface CallParameters {
  /** JSON bodies keep their types; other values are text. */
  readonly values: JsonObject;
  readonly files: ReadonlyMap<string, UploadedFile>;
  readonly byteCount: number;
}

export interface BodyRules {
  /** For JSON and form bodies. Longer ones are refused with 413. */
  readonly maxBytes: number;
  /** Whether form fields may hold JSON. */
  readonly hasJsonForms: boolean;
}

const MAX_MULTIPART_BYTES = 20 * 1024 * 1024;

export const noParameters: CallParameters = { values: {}, files: new Map(), byteCount: 0 };

/** Discards raw bodies. Throws a `Refusal` or `RequestRefused` for a bad body. */
export async function readParameters(
  { request, url, method }: Incoming,
  { isRaw, maxBytes, hasJsonForms }: BodyRules & { readonly isRaw: boolean },
): Promise<CallParameters> {
  const query = Object.fromEntries(url.searchParams);
  if (isRaw) return { ...noParameters, values: query, byteCount: await countBytes(request) };
  if (method === 'GET') return { ...noParameters, values: query };
  const type = request.headers['content-type'] ?? '';
  if (isMultipart(request)) {
    const { values, files } = await multipart(await readBody(request, MAX_MULTIPART_BYTES), type);
    return { ...noParameters, values: { ...query, ...values }, files };
  }
  const body = (await readBody(request, maxBytes)).toString('utf8');
  const values = /^application\/json\b/i.test(type) ? jsonValues(body) : formValues(body, hasJsonForms);
  return { ...noParameters, values: { ...query, ...values } };
}

export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}

/** Turns other values into JSON text; drops null. */
export function textParameters({ values }: CallParameters): ReadonlyMap<string, string> {
  const texts = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (value === null) return [];
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
  return new Map(texts);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectAt(values: JsonObject, name: string): JsonObject | undefined {
  const value = values[name];
  return isObject(value) ? value : undefined;
}

export function listAt(values: JsonObject, name: string): readonly unknown[] | undefined {
  const value: unknown = values[name];
  return Array.isArray(value) ? value : undefined;
}

export function textAt(values: JsonObject, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function countBytes(request: IncomingMessage): Promise<number> {
  let count = 0;
  for await (const chunk of request) count += chunk.length;
  return count;
}

function jsonValues(body: string): JsonObject {
  const value = parseJson(body.trim() === '' ? '{}' : body);
  if (!isObject(value)) throw new Refusal(refusals.badBody);
  return value;
}

/** Malformed JSON stays text. */
function formValues(body: string, hasJsonForms: boolean): JsonObject {
  const fields = [...new URLSearchParams(body)];
  if (!hasJsonForms) return Object.fromEntries(fields);
  return Object.fromEntries(
    fields.map(([name, text]) => [name, /^\s*[[{]/.test(text) ? (parseJson(text) ?? text) : text]),
  );
}

async function multipart(body: Buffer, type: string): Promise<Pick<CallParameters, 'values' | 'files'>> {
  const values: Record<string, string> = {};
  const files = new Map<string, UploadedFile>();
  for (const [name, part] of await formOf(body, type)) {
    if (typeof part === 'string') values[name] = part;
    else files.set(name, { name: part.name, type: part.type, content: Buffer.from(await part.arrayBuffer()) });
  }
  return { values, files };
}

async function formOf(body: Buffer, type: string) {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  } catch {
    throw new Refusal(refusals.badBody);
  }
}
