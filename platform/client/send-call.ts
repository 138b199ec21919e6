import type { Readable } from 'node:stream';
import { type Agent, request } from 'undici';
import { proofOf, proofParameter } from './app-secret-proof.ts';
import { beginReport, type OnCall } from './call-report.ts';
import { PlatformUnavailable } from './errors.ts';
import { codesOf, traceOf, retryAfterSeconds } from './rejection.ts';

export interface PlatformClientOptions {
  readonly apiUrl: string;
  readonly version: string;
  readonly appSecret: string;
  readonly timeoutMs?: number;
}

export type CallMethod = 'GET' | 'POST' | 'DELETE';

export interface PlatformCall {
  readonly path: string;
  /** Optional. A URL from the platform; replaces `path`. */
  readonly address?: URL;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
  /** Optional. Default: `Bearer`; uploads use `OAuth`. */
  readonly scheme?: 'Bearer' | 'OAuth';
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onCall?: OnCall | undefined;
}

export interface SentCall extends PlatformCall {
  readonly method?: CallMethod;
  /** Optional. A raw body; replaces `form` and `json`. */
  readonly stream?: Readable;
  /** Optional. Whether the caller reads the body of a success. */
  readonly opens?: boolean;
}

const TIMEOUT_MS = 10_000;
/** A list of one hundred accounts is about 50 KB. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Throws only PlatformUnavailable. Reports the call as soon as its answer is read, or opened. */
export async function sendCall(agent: Agent, options: PlatformClientOptions, call: SentCall) {
  const { path, method = 'GET', onCall, opens = false } = call;
  const end = beginReport(onCall, { method, path });
  try {
    const { statusCode: status, headers, body } = await send(agent, options, call);
    const isOk = status >= 200 && status < 300;
    const value = opens && isOk ? undefined : parseJson(await boundedText(body));
    const platformRequestId = traceOf(headers['x-fb-trace-id'], value);
    end({ status, error: status >= 400 ? (codesOf(value) ?? 'no code') : null, platformRequestId });
    return { status, isOk, headers, body, value, retryAfterSeconds: retryAfterSeconds(headers, new Date()) };
  } catch (error) {
    const failure = unavailable(error);
    if (!failure.notSent) end({ status: null, error: failure.message, platformRequestId: null });
    throw failure;
  }
}

/** The deadline also covers reading the body. */
async function send(
  agent: Agent,
  { apiUrl, version, appSecret, timeoutMs = TIMEOUT_MS }: PlatformClientOptions,
  call: SentCall,
) {
  const { path, address, query = {}, form, json, stream, token, signal, method = 'GET' } = call;
  const url = address ?? new URL(`${apiUrl}/${version}/${path}`);
  const proof = token === undefined ? {} : { [proofParameter]: proofOf(token, appSecret) };
  if (!address) url.search = new URLSearchParams({ ...query, ...proof }).toString();
  if (signal?.aborted) throw new PlatformUnavailable('The call was given up before it was sent', { notSent: true });
  const deadline = AbortSignal.timeout(call.timeoutMs ?? timeoutMs);
  const body = bodyOf({ stream, form, json });
  return await request(url, {
    dispatcher: agent,
    method,
    headers: headersOf(call),
    ...(body !== undefined && { body }),
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
  });
}

function headersOf({ form, json, token, scheme = 'Bearer', headers }: SentCall): Record<string, string> {
  return {
    accept: 'application/json',
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `${scheme} ${token}` }),
    ...headers,
  };
}

function bodyOf({
  stream,
  form,
  json,
}: {
  readonly [Name in 'stream' | 'form' | 'json']: SentCall[Name] | undefined;
}): Readable | string | undefined {
  if (stream) return stream;
  if (form) return new URLSearchParams({ ...form }).toString();
  return json === undefined ? undefined : JSON.stringify(json);
}

/** Keeps only the error's code: the message may contain data that must not be logged. */
function unavailable(error: unknown): PlatformUnavailable {
  if (error instanceof PlatformUnavailable) return error;
  const notSent = isBeforeSending(error);
  return new PlatformUnavailable(`The platform ${notSent ? 'was not reached' : 'did not answer'} (${codeOf(error)})`, {
    notSent,
  });
}

async function boundedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES)
      throw new PlatformUnavailable(`The platform answered more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** None of these occurs after sending. */
const CONNECT_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_INVALID_ARG',
]);

/**
 * Returns true if nothing was sent. With several addresses, every attempt must have failed so. Codes such as ETIMEDOUT
 * also occur on open connections, so `syscall` decides.
 */
export function isBeforeSending(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isBeforeSending);
  if ('code' in error && typeof error.code === 'string' && CONNECT_CODES.has(error.code)) return true;
  return 'syscall' in error && error.syscall === 'connect';
}
