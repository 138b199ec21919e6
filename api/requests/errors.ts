import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import type { ErrorDetails } from '../../openapi/error-schema.ts';

interface ErrorExtras {
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields that stand beside the others in the answer. */
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** A refusal: what the client is told, and nothing else. Whatever else is thrown becomes INTERNAL. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, { headers = {}, details = {}, cause }: ErrorExtras = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.statusCode = errorCodes[code];
    this.headers = headers;
    this.details = details;
  }
}

export class InvalidRequest extends ApiError {
  constructor(message: string) {
    super('VALIDATION_ERROR', message);
  }
}

export class MalformedJson extends ApiError {
  constructor(message = 'The body is not well-formed JSON.') {
    super('MALFORMED_JSON', message);
  }
}

export class UnsupportedMediaType extends ApiError {
  constructor(message = 'The body must be application/json in UTF-8, and not compressed.') {
    super('UNSUPPORTED_MEDIA_TYPE', message);
  }
}

export class PayloadTooLarge extends ApiError {
  constructor(maxBytes: number) {
    super('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes.`);
  }
}

export class RouteNotFound extends ApiError {
  constructor() {
    super('ROUTE_NOT_FOUND', 'There is no such route.');
  }
}

export class MethodNotAllowed extends ApiError {
  constructor(allowed: readonly string[]) {
    const allow = allowed.join(', ');
    super('METHOD_NOT_ALLOWED', `This route takes ${allow}.`, { headers: { allow } });
  }
}

export class AuthRequired extends ApiError {
  constructor(message: string, extras?: ErrorExtras) {
    super('AUTH_REQUIRED', message, extras);
  }
}

export class CredentialNotAcceptedHere extends ApiError {
  constructor(message: string, extras?: ErrorExtras) {
    super('CREDENTIAL_NOT_ACCEPTED_HERE', message, extras);
  }
}

export class Forbidden extends ApiError {
  constructor(message: string) {
    super('FORBIDDEN', message);
  }
}

export class ScopeInsufficient extends ApiError {
  constructor(scope: string) {
    super('AGENT_SCOPE_INSUFFICIENT', `This credential lacks the scope ${scope}.`);
  }
}

export class AgentRevokesSelfOnly extends ApiError {
  constructor() {
    super('AGENT_KEY_REVOKE_SELF_ONLY', 'An agent may revoke only its own credential.');
  }
}

export class WorkspaceMismatch extends ApiError {
  constructor(message = 'The workspace in X-Workspace-Id belongs to another organization.') {
    super('WORKSPACE_ORG_MISMATCH', message);
  }
}

/** Missing, deleted, malformed or another tenant's: the message is the same, so that existence is not revealed. */
export class NotFound extends ApiError {
  constructor(code: ErrorCode) {
    super(
      code,
      `There is no such ${code
        .replace(/_NOT_FOUND$/, '')
        .replaceAll('_', ' ')
        .toLowerCase()}.`,
    );
  }
}

/** The state of things stands against it; the code says which. */
export class Conflict extends ApiError {}

export class WebhookNotSet extends ApiError {
  constructor() {
    super('WEBHOOK_NOT_SET', 'The channel has no webhook. Set it first.');
  }
}

export class UrlNotAllowed extends ApiError {
  constructor(message: string) {
    super('URL_NOT_ALLOWED', message);
  }
}

export class VerificationFailed extends ApiError {
  constructor(message: string, details: ErrorDetails) {
    super('WEBHOOK_URL_VERIFICATION_FAILED', message, { details });
  }
}

export class TooManyRequests extends ApiError {
  constructor(retryAfterSeconds: number, { cause }: { cause?: unknown } = {}) {
    const headers = { 'retry-after': String(retryAfterSeconds) };
    super('RATE_LIMITED', `Too many requests. Try again in ${retryAfterSeconds} s.`, { headers, cause });
  }
}

export class OtpInvalid extends ApiError {
  constructor(triesLeft: number) {
    super('OTP_INVALID', `This is not the code. Tries left: ${triesLeft}.`);
  }
}

export class OtpLocked extends ApiError {
  constructor(retryAfterSeconds: number) {
    const headers = { 'retry-after': String(retryAfterSeconds) };
    super('OTP_LOCKED', 'Too many wrong codes: this registration is locked. Ask for a new code.', { headers });
  }
}

/** Also for registrations that there are not, are used up, or are for something else: nobody learns which. */
export class OtpExpired extends ApiError {
  constructor() {
    super('OTP_EXPIRED', 'No code is waited for here any more. Ask for a new one.');
  }
}

/** Long enough for a restart, short enough for a person who waits. */
const UNAVAILABLE_RETRY_SECONDS = 5;

/** Only where nothing was started. */
export class WorkflowUnavailable extends ApiError {
  constructor(
    message = 'Nothing was started and nothing has changed. Try again shortly.',
    { headers = {} }: Pick<ErrorExtras, 'headers'> = {},
  ) {
    const retryAfter = { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) };
    super('WORKFLOW_UNAVAILABLE', message, { headers: { ...retryAfter, ...headers } });
  }
}

/** Where something may have been started: the message says what to check. */
export class OutcomeUnknown extends ApiError {
  constructor(message: string, extras?: ErrorExtras) {
    super('PLATFORM_OUTCOME_UNKNOWN', message, extras);
  }
}

/** The platform said no; the message is what it said. */
export class PlatformRefused extends ApiError {
  constructor(message: string, extras?: ErrorExtras) {
    super('PLATFORM_REJECTED', message, extras);
  }
}

/** What is asked for belongs to another account. */
export class ScopeDenied extends ApiError {
  constructor(message: string) {
    super('PAGEAPP_SCOPE_DENIED', message);
  }
}

/** The account was connected without a permission that this needs. */
export class ScopeMissing extends ApiError {
  constructor(message: string) {
    super('PAGEAPP_SCOPE_MISSING', message);
  }
}

/** The platform could not be asked, and nothing was sent that changes anything there. */
export class PlatformAway extends ApiError {
  constructor(message: string) {
    super('PLATFORM_UNAVAILABLE', message, { headers: { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) } });
  }
}

export class ContainerNotReady extends ApiError {
  constructor(retryAfterSeconds: number) {
    const headers = { 'retry-after': String(retryAfterSeconds) };
    super('CONTAINER_NOT_READY', 'The platform is still processing the container. Publish it when it is finished.', {
      headers,
    });
  }
}

export class PublishQuotaExceeded extends ApiError {
  constructor(retryAfterSeconds: number) {
    const headers = { 'retry-after': String(retryAfterSeconds) };
    const message = "The account has used up the platform's quota of posts for 24 hours. Nothing was published.";
    super('PUBLISH_QUOTA_EXCEEDED', message, { headers });
  }
}

/** The database is away or takes no writes. A connection that breaks during a commit leaves open whether it was made. */
export class ServiceUnavailable extends ApiError {
  constructor(cause: unknown) {
    const headers = { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) };
    const message =
      'The service cannot reach its storage. Try again shortly; a change may have been made all the same.';
    super('SERVICE_UNAVAILABLE', message, { headers, cause });
  }
}

/** Stands for whatever nobody foresaw: no detail leaves the house. */
export class Unforeseen extends ApiError {
  constructor(cause: unknown) {
    super('INTERNAL', 'Something went wrong on our side. Quote the request id to support.', { cause });
  }
}
