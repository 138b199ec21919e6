import type { components } from './api-types.ts';

export type ErrorCode = components['schemas']['ErrorCode'];

interface ApiErrorFields {
  readonly statusCode: number;
  readonly code: ErrorCode | 'UNKNOWN';
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** Optional. Default: null. */
  readonly helpUrl?: string | null;
}

/** The code is `UNKNOWN` if the response did not come from the service. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly statusCode: number;
  readonly code: ErrorCode | 'UNKNOWN';
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** The guide of the service that helps with this error. */
  readonly helpUrl: string | null;

  constructor({ statusCode, code, message, requestId, retryAfterSeconds, helpUrl = null }: ApiErrorFields) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.helpUrl = helpUrl;
  }
}

/** The service may have carried out the request. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** Proxies can respond without the error body of the service. */
export async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const body = parseObject(text);
  const retryAfter = Number(response.headers.get('retry-after') ?? 'none');
  return new ApiError({
    statusCode: response.status,
    code: isErrorBody(body) ? (body.code as ErrorCode) : 'UNKNOWN', // later releases may add codes
    message: isErrorBody(body)
      ? body.message
      : `HTTP ${response.status}, but not from the service. Check the URL and proxies.`,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    helpUrl: /<(https?:[^>]+)>; rel="help"/.exec(response.headers.get('link') ?? '')?.[1] ?? null,
  });
}

type ErrorBody = components['schemas']['Error'];

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function isErrorBody(body: object | null): body is ErrorBody {
  return body !== null && 'code' in body && typeof body.code === 'string' && 'message' in body;
}
