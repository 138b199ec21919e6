import { BUSY_RETRY_SECONDS } from '../../process/body-budget.ts';
import { type ErrorCode, errorCodes } from '../../contract/errors.ts';

/** What the gateway itself refuses, as its caller is told; the platform's own refusals are passed on instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, { headers = {}, ...options }: RefusalExtras = {}) {
    super(message, options);
    this.code = code;
    this.statusCode = errorCodes[code];
    this.headers = headers;
  }
}

interface RefusalExtras extends ErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Short enough for a person who waits, long enough for a restart. */
const UNAVAILABLE_RETRY_SECONDS = 5;

export function missingBearer(message: string): Refusal {
  return new Refusal('MISSING_BEARER', message, { headers: { 'www-authenticate': 'Bearer' } });
}

export function scopeDenied(message = 'This channel token does not reach that object.'): Refusal {
  return new Refusal('PAGEAPP_SCOPE_DENIED', message);
}

interface NotPassedOn {
  readonly method: string;
  /** Left out for the object itself. */
  readonly edge?: string;
  /** The kind of object, in words. */
  readonly of: string;
  /** The methods that are passed on there. */
  readonly taken: readonly string[];
}

/** For what is the channel's own, and is not open to its token all the same. */
export function notPassedOn({ method, edge, of, taken }: NotPassedOn): Refusal {
  const place = edge === undefined ? `${of} itself` : `the edge ${edge} of ${of}`;
  const others = taken.length === 0 ? '' : ` (only ${taken.join(', ')})`;
  return scopeDenied(
    `The object is this channel's, but the gateway does not pass ${method} on to ${place}${others}. ` +
      'What it passes on is listed under "Edges" in docs/gateway.md.',
  );
}

export function invalid(message: string): Refusal {
  return new Refusal('VALIDATION_ERROR', message);
}

export function tooLarge(maxBytes: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
}

export function tooMany(message: string, retryAfterSeconds: number): Refusal {
  return new Refusal('RATE_LIMITED', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

/** Only where nothing was changed at the platform. */
export function platformAway(message: string, cause?: unknown): Refusal {
  const headers = { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) };
  return new Refusal('PLATFORM_UNAVAILABLE', message, { headers, cause });
}

/** The database is away, and without it nobody knows whose a token is: nothing was sent to the platform. */
export function serviceUnavailable(cause: unknown): Refusal {
  const headers = { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) };
  const message = 'The service cannot reach its storage. Nothing was sent to the platform; try again shortly.';
  return new Refusal('SERVICE_UNAVAILABLE', message, { headers, cause });
}

/** The process holds as many bytes of request bodies as it may. */
export function overCapacity(): Refusal {
  const headers = { 'retry-after': String(BUSY_RETRY_SECONDS) };
  const message = 'Too many request bodies are being received. Nothing was sent to the platform; try again shortly.';
  return new Refusal('SERVICE_UNAVAILABLE', message, { headers });
}

/** Where the platform may have done what it was asked. */
export function outcomeUnknown(cause?: unknown): Refusal {
  const message =
    'The platform did not answer, and may have done it all the same. Look there before asking again: it was not repeated.';
  return new Refusal('PLATFORM_OUTCOME_UNKNOWN', message, { cause });
}

export function disconnected(): Refusal {
  return new Refusal('CHANNEL_DISCONNECTED', 'The channel of this token is disconnected. Connect it again.');
}
