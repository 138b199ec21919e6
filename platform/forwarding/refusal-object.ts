import type { ErrorBody, ErrorCode } from '../../contract/errors.ts';

/** The platform's own error object. Clients of its API show `message`, and decide on `code` and `error_subcode`. */
export interface RefusalObject {
  readonly message: string;
  readonly type: 'OAuthException' | 'GraphMethodException';
  readonly code: number;
  readonly error_subcode?: number;
  readonly is_transient: boolean;
  /** The stable code of the service, because clients pass nothing else of the response on. */
  readonly error_data: { readonly details: ErrorCode };
  readonly fbtrace_id: string;
}

interface PlatformCode {
  readonly code: number;
  readonly subcode?: number;
  /** Optional. True if the same call may succeed later. Default: false. */
  readonly isTransient?: true;
}

const invalidParameter: PlatformCode = { code: 100 };
const noPermission: PlatformCode = { code: 200 };
const invalidToken: PlatformCode = { code: 190, subcode: 467 };
const unavailable: PlatformCode = { code: 2, isTransient: true };

/** Other refusals of a caller are invalid parameters, and other failures unknown errors. */
const platformCodes: Partial<Record<ErrorCode, PlatformCode>> = {
  AUTH_REQUIRED: invalidToken,
  MISSING_BEARER: { code: 190 },
  CREDENTIAL_NOT_ACCEPTED_HERE: { code: 190 },
  // The person who connected the account must connect it again.
  CHANNEL_DISCONNECTED: { code: 190, subcode: 458 },
  CREDENTIAL_REFUSED: { code: 190, subcode: 460 },
  FORBIDDEN: noPermission,
  AGENT_SCOPE_INSUFFICIENT: noPermission,
  PAGEAPP_SCOPE_DENIED: noPermission,
  ROUTE_NOT_FOUND: { code: 100, subcode: 33 },
  RATE_LIMITED: { code: 4, isTransient: true },
  SERVICE_UNAVAILABLE: unavailable,
  PLATFORM_UNAVAILABLE: unavailable,
  // Not transient: a client would repeat a message that may have been sent.
  PLATFORM_OUTCOME_UNKNOWN: { code: 1 },
};

const unknownError: PlatformCode = { code: 1 };

/** Describes a refusal of the service in the platform's form. */
export function refusalObject({ statusCode, code, message, requestId }: ErrorBody): RefusalObject {
  const known = platformCodes[code] ?? (statusCode < 500 ? invalidParameter : unknownError);
  return {
    message,
    type: known.subcode === 33 ? 'GraphMethodException' : 'OAuthException',
    code: known.code,
    ...(known.subcode !== undefined && { error_subcode: known.subcode }),
    is_transient: known.isTransient ?? false,
    error_data: { details: code },
    fbtrace_id: requestId,
  };
}
