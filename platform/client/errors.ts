export interface PlatformRejection {
  readonly status: number;
  readonly code: number | null;
  readonly subcode: number | null;
  /** The platform says that the same call may succeed later. */
  readonly isTransient: boolean;
  /** The platform's text for users, on one line and without secrets. Null if the platform gives no text. */
  readonly text: string | null;
  /** Optional. Null or omitted if the platform gives no hint. */
  readonly retryAfterSeconds?: number | null;
}

/** The platform refused a call. The message holds the platform's codes and may be shown. */
export class PlatformRejected extends Error {
  override readonly name = 'PlatformRejected';
  readonly status: number;
  readonly code: number | null;
  readonly subcode: number | null;
  readonly isTransient: boolean;
  readonly retryAfterSeconds: number | null;
  readonly #text: string | null;

  constructor({ status, code, subcode, isTransient, text, retryAfterSeconds = null }: PlatformRejection) {
    super(`The platform answered ${status} with code ${code ?? 'none'}, subcode ${subcode ?? 'none'}`);
    this.status = status;
    this.code = code;
    this.subcode = subcode;
    this.isTransient = isTransient;
    this.retryAfterSeconds = retryAfterSeconds;
    this.#text = text;
  }

  /** An accessor, so that logs and stored failures do not contain it: the text may quote user content. */
  get text(): string | null {
    return this.#text;
  }
}

/** No usable response: no connection, a timeout, a platform error, or a malformed body. */
export class PlatformUnavailable extends Error {
  override readonly name = 'PlatformUnavailable';
  /** True if certainly nothing was sent. Otherwise the call may have taken effect. */
  readonly notSent: boolean;
  /** True if users may see the effect of the call and repeating it is harmless. */
  readonly mayBeDone: boolean;

  constructor(message: string, { notSent = false, mayBeDone = false, ...options }: UnavailableExtras = {}) {
    super(message, options);
    this.notSent = notSent;
    this.mayBeDone = mayBeDone;
  }
}

interface UnavailableExtras extends ErrorOptions {
  readonly notSent?: boolean;
  readonly mayBeDone?: boolean;
}

/** A write with an unknown outcome. A person must check it; it is never retried automatically. */
export class PlatformOutcomeLost extends Error {
  override readonly name = 'PlatformOutcomeLost';
}
