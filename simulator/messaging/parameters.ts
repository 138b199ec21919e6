import type { IncomingMessage } from 'node:http';
import { readBody } from '../servers/http-server.ts';
import { MessagingRefusal, reasons } from './refusals.ts';
import type { JsonObject } from '../webhooks/item.ts';

/** A file that came in a form, with the type that its part said. */
export interface UploadedFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/** What a call says: the query's parameters, and over them those of a JSON, form or multipart body. */
export interface CallParameters {
  readonly values: JsonObject;
  /** By the name of the field. */
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/** A list of ten sections is far below; a file is let through a little above what is kept, to be refused in words. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_FORM_BYTES = 20 * 1024 * 1024;

export async function readCall(request: IncomingMessage, url: URL): Promise<CallParameters> {
  const query = Object.fromEntries(url.searchParams);
  if (request.method !== 'POST') return { values: query, files: new Map() };
  const type = request.headers['content-type'] ?? '';
  if (isMultipart(request)) {
    const { values, files } = await multipart(await readBody(request, MAX_FORM_BYTES), type);
    return { values: { ...query, ...values }, files };
  }
  const body = (await readBody(request, MAX_BODY_BYTES)).toString('utf8');
  const values = /^application\/json\b/i.test(type) ? jsonValues(body) : formValues(body);
  return { values: { ...query, ...values }, files: new Map() };
}

export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under this name; undefined when there is none. */
export function objectAt(values: JsonObject, name: string): JsonObject | undefined {
  const value = values[name];
  return isObject(value) ? value : undefined;
}

/** The list under this name; undefined when there is none. */
export function listAt(values: JsonObject, name: string): readonly unknown[] | undefined {
  const value: unknown = values[name];
  return Array.isArray(value) ? value : undefined;
}

/** The text under this name, when there is one that is not empty. */
export function textAt(values: JsonObject, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function jsonValues(body: string): JsonObject {
  const value = parsed(body.trim() === '' ? '{}' : body);
  if (!isObject(value)) throw new MessagingRefusal(reasons.badBody);
  return value;
}

/** In a form, objects and lists stand as their JSON text; what only looks like it is text. */
function formValues(body: string): JsonObject {
  return Object.fromEntries(
    [...new URLSearchParams(body)].map(([name, text]) => [name, /^\s*[[{]/.test(text) ? (parsed(text) ?? text) : text]),
  );
}

async function multipart(body: Buffer, type: string): Promise<CallParameters> {
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
    throw new MessagingRefusal(reasons.badBody);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
