import type { ErrorCode, PlatformRefusalCode } from '../../contract/errors.ts';
import { HttpError, type HttpErrorOptions, UNAVAILABLE_RETRY_SECONDS } from '../../process/http-errors.ts';

export {
  AddressNotAllowed,
  HttpError,
  InternalError,
  InvalidRequest,
  MalformedJson,
  MethodNotAllowed,
  OutcomeUnknown,
  PayloadTooLarge,
  PlatformUnreachable,
  RouteNotFound,
  ScopeDenied,
  ServiceUnavailable,
  TooManyRequests,
  UnsupportedMediaType,
} from '../../process/http-errors.ts';

export class AuthRequired extends HttpError {
  constructor(message: string, options?: HttpErrorOptions) {
    super('AUTH_REQUIRED', message, options);
  }
}

export class CredentialNotAcceptedHere extends HttpError {
  constructor(message: string, options?: HttpErrorOptions) {
    super('CREDENTIAL_NOT_ACCEPTED_HERE', message, options);
  }
}

export class Forbidden extends HttpError {
  constructor(message: string) {
    super('FORBIDDEN', message);
  }
}

export class ScopeInsufficient extends HttpError {
  constructor(scope: string) {
    super('AGENT_SCOPE_INSUFFICIENT', `This credential lacks the scope ${scope}.`);
  }
}

export class AgentRevokesSelfOnly extends HttpError {
  constructor() {
    super('AGENT_KEY_REVOKE_SELF_ONLY', 'An agent can revoke only its own credential.');
  }
}

export class WorkspaceMismatch extends HttpError {
  constructor(message = 'The workspace in X-Workspace-Id belongs to another organization.') {
    super('WORKSPACE_ORG_MISMATCH', message);
  }
}

/** For missing, deleted and foreign resources and malformed ids, to hide what exists. */
export class NotFound extends HttpError {
  constructor(code: ErrorCode) {
    const noun = code
      .replace(/_NOT_FOUND$/, '')
      .replaceAll('_', ' ')
      .toLowerCase();
    super(code, `The ${noun} does not exist.`);
  }
}

/** Repeating it would take as long, so it has no Retry-After. */
export class ReadTooSlow extends HttpError {
  constructor(options?: HttpErrorOptions) {
    super(
      'READ_TOO_SLOW',
      'This read takes too long. Narrow it: a shorter time span, a channel, or fewer rows.',
      options,
    );
  }
}

export class Conflict extends HttpError {}

/** An idempotency key that belongs to another request. */
export class KeyReused extends Conflict {
  constructor(other = 'request') {
    super('IDEMPOTENCY_KEY_REUSED', `This Idempotency-Key was used with another ${other}. Use a new key.`);
  }
}

export class WebhookNotSet extends HttpError {
  constructor() {
    super('WEBHOOK_NOT_SET', 'The channel has no webhook. Set one first.');
  }
}

export class UrlNotAllowed extends HttpError {
  /** `field` is the field of the body that has the URL. */
  constructor(field: string, reason: string) {
    super('URL_NOT_ALLOWED', `body.${field}: ${reason}`);
  }
}

export class VerificationFailed extends HttpError {
  constructor(message: string) {
    super('WEBHOOK_URL_VERIFICATION_FAILED', message);
  }
}

export class OtpInvalid extends HttpError {
  constructor(triesLeft: number) {
    super('OTP_INVALID', `The code is wrong. Tries left: ${triesLeft}.`);
  }
}

export class OtpLocked extends HttpError {
  constructor(retryAfterSeconds: number) {
    super('OTP_LOCKED', 'Too many wrong codes. Request a new code.', { retryAfterSeconds });
  }
}

/** Does not reveal why: unknown, used, expired or mismatched. */
export class OtpExpired extends HttpError {
  constructor() {
    super('OTP_EXPIRED', 'This code has expired. Request a new one.');
  }
}

export class WorkflowUnavailable extends HttpError {
  constructor(
    message = 'Nothing was started and nothing has changed, because the workflow service is not available. Try again shortly.',
    { headers = {} }: Pick<HttpErrorOptions, 'headers'> = {},
  ) {
    super('WORKFLOW_UNAVAILABLE', message, { headers, retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
  }
}

/** Nothing was done. */
export class PlatformRefused extends HttpError {
  constructor(code: PlatformRefusalCode, message: string, options?: HttpErrorOptions) {
    super(code, message, options);
  }
}

export class ContainerNotReady extends HttpError {
  constructor(retryAfterSeconds: number) {
    const message = 'The platform is still processing the container. Publish it when its status is finished.';
    super('CONTAINER_NOT_READY', message, { retryAfterSeconds });
  }
}

export class PublishQuotaExceeded extends HttpError {
  constructor(retryAfterSeconds: number) {
    const message = "The account has reached the platform's limit of posts in 24 hours. Nothing was published.";
    super('PUBLISH_QUOTA_EXCEEDED', message, { retryAfterSeconds });
  }
}
