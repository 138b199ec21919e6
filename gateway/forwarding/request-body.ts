import type { IncomingMessage } from 'node:http';
import { type Readable, pipeline } from 'node:stream';
import { STREAMED_BODY_BYTES } from '../../process/body-budget.ts';
import { allowSlowBody } from '../../process/body-deadline.ts';
import { scanJson } from '../../contract/envelope/json-tape.ts';
import { hasBody } from '../../process/lingering-close.ts';
import { type FormProblem, watchFieldNames } from '../../platform/forwarding/multipart-fields.ts';
import { namedInForm, namedInJson } from '../../platform/forwarding/product-naming.ts';
import { type ParameterReading, readFormParameters, readJsonParameters } from '../../platform/ownership/references.ts';
import { readBody as readRequestBody } from '../../process/read-body.ts';
import { limitBytes } from '../upstream/bounded-body.ts';
import type { Call } from '../calls/call.ts';
import { invalid, missingBearer, overCapacity, Refusal, tooLarge } from '../calls/refusal.ts';

/** What is sent on, and the ids of other objects in it. */
export interface ReadBody {
  readonly body: Buffer | Readable | undefined;
  readonly ids: readonly string[];
  /** The lists of fields that it asks for. */
  readonly fields: readonly string[];
}

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly parameterBytes: number;
}

export interface BodyReading extends BodyLimits {
  readonly takesFile: boolean;
  /** Where the body names its product, the word that the platform takes for it. */
  readonly chatappWord: string | undefined;
}

const nothing: ReadBody = { body: undefined, ids: [], fields: [] };

/** Reads a body of parameters whole, and lets a file through as a stream where the edge takes one. */
export async function readBody(call: Call, reading: BodyReading): Promise<ReadBody> {
  const { request } = call;
  const { takesFile, parameterBytes } = reading;
  if (!hasBody(request)) return nothing;
  if (request.headers['content-encoding'] !== undefined) throw unsupported('The body must not be compressed.');
  const [type, parameters] = contentType(request);
  if (type === 'multipart/form-data') {
    if (!takesFile) throw unsupported('This edge takes JSON or a form, and no file.');
    return { body: fileBody(call, boundaryOf(parameters), reading), ids: [], fields: [] };
  }
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(parameters)?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw unsupported('The body must be in UTF-8.');
  if (type === 'application/json') return jsonBody(await readWhole(call, parameterBytes), reading);
  if (type === 'application/x-www-form-urlencoded') return formBody(await readWhole(call, parameterBytes), reading);
  throw unsupported('The body must be application/json, a form, or a file where the edge takes one.');
}

function jsonBody(body: Buffer, { chatappWord }: BodyReading): ReadBody {
  if (body.length === 0) return nothing;
  const json = scanJson(body);
  if ('faultAtByte' in json) throw new Refusal('MALFORMED_JSON', 'The body is not well-formed JSON.');
  const named = namedBy(readJsonParameters(json));
  return { body: chatappWord === undefined ? body : namedInJson(json, chatappWord), ...named };
}

function formBody(body: Buffer, { chatappWord }: BodyReading): ReadBody {
  const named = namedBy(readFormParameters(body.toString()));
  return { body: chatappWord === undefined ? body : namedInForm(body, chatappWord), ...named };
}

/** What parameters name: the ids of objects, and lists of fields. */
export type Named = Omit<ReadBody, 'body'>;

/** Returns what a reading names; refuses what may not be asked at all. */
export function namedBy(reading: ParameterReading): Named {
  if (reading.ok) return { ids: reading.ids, fields: reading.fields };
  if (reading.because === 'credential') {
    throw missingBearer('A token is taken from the Authorization header only, never from a parameter.');
  }
  throw invalid(reading.text);
}

function contentType({ headers }: IncomingMessage): readonly [string, string] {
  const text = headers['content-type'] ?? '';
  const mark = text.indexOf(';');
  return mark < 0 ? [text.trim().toLowerCase(), ''] : [text.slice(0, mark).trim().toLowerCase(), text.slice(mark)];
}

/** Readers differ in where a boundary begins and ends: one that all of them read alike, named once. */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+./:=?-]{1,70})"|([\w'()+./:?-]{1,70}))\s*(?:;|$)/i;

function boundaryOf(parameters: string): string {
  const [, quoted, plain] = BOUNDARY.exec(parameters) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || /boundary/i.test(parameters.replace(BOUNDARY, '')))
    throw invalid('The boundary is not well-formed.');
  return boundary;
}

function fileBody(call: Call, boundary: string, { bodyBytes, chatappWord }: BodyReading): Readable {
  const keepsLength = call.request.headers['content-length'] !== undefined;
  return boundedUpload(call, bodyBytes, watchFieldNames({ boundary, refusalOf, chatappWord, keepsLength }));
}

function refusalOf({ because, text }: FormProblem): Refusal {
  return because === 'credential' ? missingBearer(text) : invalid(text);
}

/** The request's body as a stream that ends with a refusal where it is too large. */
export function boundedUpload(call: Call, maxBytes: number, watcher?: NodeJS.ReadWriteStream & Readable): Readable {
  if (Number(call.request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (!call.reservation.grow(STREAMED_BODY_BYTES)) throw overCapacity();
  allowSlowBody(call.request, call.timeMs);
  const limited = limitBytes(maxBytes);
  // The reader of the last stream hears of every failure; nobody else has to.
  if (!watcher) return pipeline(call.request, limited, () => undefined);
  pipeline(call.request, limited, watcher, () => undefined);
  return watcher;
}

async function readWhole({ request, signal, reservation }: Call, maxBytes: number): Promise<Buffer> {
  const body = await readRequestBody(request, { maxBytes, reservation, signal });
  switch (body) {
    case 'too_large':
      throw tooLarge(maxBytes);
    case 'no_room':
      throw overCapacity();
    case 'aborted':
      throw new Refusal('VALIDATION_ERROR', 'The body did not come in time.');
  }
  return body;
}

function unsupported(message: string): Refusal {
  return new Refusal('UNSUPPORTED_MEDIA_TYPE', message);
}
