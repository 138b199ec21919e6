import type { IncomingMessage } from 'node:http';
import { type Readable, pipeline } from 'node:stream';
import { STREAMED_BODY_BYTES } from '../../process/body-budget.ts';
import { allowSlowBody } from '../../process/http-server.ts';
import { scanJson } from '../../contract/envelope/json-tape.ts';
import { hasTooManyValues, tooManyValuesText } from '../../contract/envelope/json-values.ts';
import { hasBody } from '../../process/lingering-close.ts';
import { type FormProblem, watchFieldNames } from '../../platform/forwarding/multipart-fields.ts';
import { replaceWordInForm, replaceWordInJson } from '../../platform/forwarding/product-naming.ts';
import { type ParameterReading, readFormParameters, readJsonParameters } from '../../platform/ownership/references.ts';
import { readBody as readRequestBody } from '../../process/read-body.ts';
import { limitBytes } from '../upstream/bounded-body.ts';
import type { Call } from '../calls/call.ts';
import {
  type HttpError,
  InvalidRequest,
  MalformedJson,
  PayloadTooLarge,
  UnsupportedMediaType,
} from '../../process/http-errors.ts';
import { MissingBearer } from '../calls/errors.ts';

export interface ReadBody {
  readonly body: Buffer | Readable | undefined;
  readonly ids: readonly string[];
  readonly fields: readonly string[];
  /** Whether it named the product by the neutral word. */
  readonly isNeutral: boolean;
}

export interface BodyLimits {
  readonly bodyBytes: number;
  readonly parameterBytes: number;
}

export interface BodyReading extends BodyLimits {
  readonly takesFile: boolean;
  /** Undefined if the body does not name its product. */
  readonly chatappWord: string | undefined;
}

const nothing: ReadBody = { body: undefined, ids: [], fields: [], isNeutral: false };

/** Reads parameters whole and streams multipart forms. */
export async function readBody(call: Call, reading: BodyReading): Promise<ReadBody> {
  const { request } = call;
  const { takesFile, parameterBytes } = reading;
  if (!hasBody(request)) return nothing;
  if (request.headers['content-encoding'] !== undefined)
    throw new UnsupportedMediaType('The body must not be compressed.');
  const [type, parameters] = contentType(request);
  if (type === 'multipart/form-data') {
    if (!takesFile) throw new UnsupportedMediaType('This edge accepts JSON or a form, but no file.');
    return { ...nothing, body: fileBody(call, boundaryOf(parameters), reading) };
  }
  const charset = /charset\s*=\s*"?([\w-]+)/i.exec(parameters)?.[1]?.toLowerCase() ?? 'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8') throw new UnsupportedMediaType('The body must be in UTF-8.');
  if (type === 'application/json') return jsonBody(await readWhole(call, parameterBytes), reading);
  if (type === 'application/x-www-form-urlencoded') return formBody(await readWhole(call, parameterBytes), reading);
  throw new UnsupportedMediaType('The body must be application/json, a form, or a file if the edge accepts one.');
}

function jsonBody(body: Buffer, { chatappWord }: BodyReading): ReadBody {
  if (body.length === 0) return nothing;
  if (hasTooManyValues(body)) throw new InvalidRequest(tooManyValuesText);
  const json = scanJson(body);
  if ('faultAtByte' in json) throw new MalformedJson();
  const named = namedBy(readJsonParameters(json));
  return { ...replaced(body, chatappWord === undefined ? body : replaceWordInJson(json, chatappWord)), ...named };
}

function formBody(body: Buffer, { chatappWord }: BodyReading): ReadBody {
  const named = namedBy(readFormParameters(body.toString()));
  return { ...replaced(body, chatappWord === undefined ? body : replaceWordInForm(body, chatappWord)), ...named };
}

function replaced(given: Buffer, body: Buffer): Pick<ReadBody, 'body' | 'isNeutral'> {
  return { body, isNeutral: !body.equals(given) };
}

export type Named = Pick<ReadBody, 'ids' | 'fields'>;

/** Throws if the parameters contain a credential or can't be checked. */
export function namedBy(reading: ParameterReading): Named {
  if (reading.ok) return { ids: reading.ids, fields: reading.fields };
  if (reading.because === 'credential') {
    throw new MissingBearer('Send the token in the Authorization header, not in a parameter.');
  }
  throw new InvalidRequest(reading.text);
}

function contentType({ headers }: IncomingMessage): readonly [string, string] {
  const text = headers['content-type'] ?? '';
  const mark = text.indexOf(';');
  return mark < 0 ? [text.trim().toLowerCase(), ''] : [text.slice(0, mark).trim().toLowerCase(), text.slice(mark)];
}

/** Parsers disagree on other boundaries. */
const BOUNDARY = /;\s*boundary=(?:"([\w'()+./:=?-]{1,70})"|([\w'()+./:?-]{1,70}))\s*(?:;|$)/i;

function boundaryOf(parameters: string): string {
  const [, quoted, plain] = BOUNDARY.exec(parameters) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined || /boundary/i.test(parameters.replace(BOUNDARY, '')))
    throw new InvalidRequest('The multipart boundary is not well-formed.');
  return boundary;
}

function fileBody(call: Call, boundary: string, { bodyBytes, chatappWord }: BodyReading): Readable {
  const keepsLength = call.request.headers['content-length'] !== undefined;
  return boundedUpload(call, bodyBytes, watchFieldNames({ boundary, refusalOf: formError, chatappWord, keepsLength }));
}

function formError({ because, text }: FormProblem): HttpError {
  return because === 'credential' ? new MissingBearer(text) : new InvalidRequest(text);
}

export function boundedUpload(call: Call, maxBytes: number, watcher?: NodeJS.ReadWriteStream & Readable): Readable {
  if (Number(call.request.headers['content-length'] ?? 0) > maxBytes) throw new PayloadTooLarge(maxBytes);
  if (!call.reservation.grow(STREAMED_BODY_BYTES)) throw call.reservation.refusal();
  allowSlowBody(call.request, call.timeMs);
  const limited = limitBytes(maxBytes);
  // The reader of the last stream gets the errors.
  if (!watcher) return pipeline(call.request, limited, () => undefined);
  pipeline(call.request, limited, watcher, () => undefined);
  return watcher;
}

async function readWhole({ request, signal, reservation }: Call, maxBytes: number): Promise<Buffer> {
  const body = await readRequestBody(request, { maxBytes, reservation, signal });
  switch (body) {
    case 'too_large':
      throw new PayloadTooLarge(maxBytes);
    case 'no_room':
      throw reservation.refusal();
    case 'aborted':
      throw new InvalidRequest('The body did not arrive in time.');
  }
  return body;
}
