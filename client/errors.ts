import type { components } from './api-types.ts';

export type ErrorCode = components['schemas']['Error']['code'];

interface ApiErrorFields {
  readonly statusCode: number;
  readonly code: ErrorCode | 'UNKNOWN';
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly probes?: readonly WebhookProbe[] | null;
}

type WebhookProbe = components['schemas']['WebhookProbe'];

/** The service refused the request, and says why by its code; `UNKNOWN` is an answer that was none of the service's. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly statusCode: number;
  readonly code: ErrorCode | 'UNKNOWN';
  /** To be quoted when contacting support. */
  readonly requestId: string | null;
  /** How long the service asks to wait before the next try; null where it does not say. */
  readonly retryAfterSeconds: number | null;
  /** With WEBHOOK_URL_VERIFICATION_FAILED: what came of each probe, where that is known. */
  readonly probes: readonly WebhookProbe[] | null;

  constructor({ statusCode, code, message, requestId, retryAfterSeconds, probes = null }: ApiErrorFields) {
    super(message);
    this.statusCode = statusCode;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.probes = probes;
  }
}

/** No answer came, or broke off: whether the service took the request is not known. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** The refusal that an answer is; what stands between here and the service may answer in words of its own. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const body = parseObject(text);
  const retryAfter = Number(response.headers.get('retry-after') ?? 'none');
  return new ApiError({
    statusCode: response.status,
    code: isErrorBody(body) ? body.code : 'UNKNOWN',
    message: isErrorBody(body) ? body.message : `Answered with HTTP ${response.status} by something else.`,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    probes: isErrorBody(body) && Array.isArray(body.probes) ? body.probes : null,
  });
}

type ErrorBody = components['schemas']['Error'] & { readonly probes?: readonly WebhookProbe[] };

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
