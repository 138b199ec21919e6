import type { ServerResponse } from 'node:http';
import { type ErrorBody, type ErrorCode, statusByErrorCode } from '../contract/errors.ts';
import { helpLink } from '../contract/guides.ts';

export interface HttpErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** The client sees its code, message and headers. Servers respond to every other error with INTERNAL. */
export class HttpError extends Error {
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, { headers = {}, retryAfterSeconds, cause }: HttpErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.statusCode = statusByErrorCode[code];
    const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
    this.headers = { ...retryAfter, ...headers };
  }
}

export function errorBody({ code, message }: Pick<HttpError, 'code' | 'message'>, requestId: string): ErrorBody {
  return { statusCode: statusByErrorCode[code], code, message, requestId };
}

export interface ErrorAnswer {
  readonly baseUrl: string;
  readonly body: ErrorBody & { readonly error?: object };
  /** Optional. Default: those of the error. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers without Koa. A response that has begun is cut off, so that it does not look complete. */
export function endWithError(response: ServerResponse, error: HttpError, answer: ErrorAnswer): void {
  if (response.destroyed) return;
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify(answer.body);
  response.writeHead(error.statusCode, {
    ...answer.headers,
    ...error.headers,
    link: helpLink(answer.baseUrl, error.code),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

export class InvalidRequest extends HttpError {
  constructor(message: string) {
    super('VALIDATION_ERROR', message);
  }
}

export class AddressNotAllowed extends HttpError {
  constructor() {
    super(
      'ADDRESS_NOT_ALLOWED',
      'This API key is not accepted from your IP address. An organization admin can change its allowed address blocks.',
    );
  }
}

export class MalformedJson extends HttpError {
  constructor(message = 'The body is not well-formed JSON.') {
    super('MALFORMED_JSON', message);
  }
}

export class UnsupportedMediaType extends HttpError {
  constructor(message = 'The body must be uncompressed application/json in UTF-8.') {
    super('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

export class PayloadTooLarge extends HttpError {
  constructor(maxBytes: number) {
    super('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
  }
}

export class RouteNotFound extends HttpError {
  constructor(message = 'No route has this path.') {
    super('ROUTE_NOT_FOUND', message);
  }
}

export class MethodNotAllowed extends HttpError {
  constructor(allowed: readonly string[]) {
    const allow = allowed.join(', ');
    super('METHOD_NOT_ALLOWED', `This route accepts ${allow}.`, { headers: { allow } });
  }
}

export class TooManyRequests extends HttpError {
  constructor(
    retryAfterSeconds: number,
    { message = 'Too many requests.', cause }: { readonly message?: string; readonly cause?: unknown } = {},
  ) {
    super('RATE_LIMITED', `${message} Try again in ${retryAfterSeconds} s.`, { retryAfterSeconds, cause });
  }
}

export class ScopeDenied extends HttpError {
  constructor(message: string) {
    super('PAGEAPP_SCOPE_DENIED', message);
  }
}

/** Long enough for a restart, short enough for a person who waits. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/** The platform cannot be reached or does not respond, and no change was sent to it. */
export class PlatformUnreachable extends HttpError {
  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super('PLATFORM_UNAVAILABLE', message, { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS, cause });
  }
}

/** A change may have been made. The message says what to check before a repeat. */
export class OutcomeUnknown extends HttpError {
  constructor(message: string, options?: HttpErrorOptions) {
    super('PLATFORM_OUTCOME_UNKNOWN', message, options);
  }
}

export class ServiceUnavailable extends HttpError {
  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS, cause });
  }
}

/** Bodies leave a full budget within milliseconds. */
export const BUSY_RETRY_SECONDS = 1;

export class OverCapacity extends HttpError {
  constructor() {
    const message = 'The server is receiving too many request bodies. Nothing was done. Try again shortly.';
    super('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: BUSY_RETRY_SECONDS });
  }
}

export class InternalError extends HttpError {
  constructor(cause: unknown) {
    super('INTERNAL', 'An internal error occurred. Quote the request id when you contact support.', { cause });
  }
}
