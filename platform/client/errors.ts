export interface PlatformRejection {
  readonly status: number;
  readonly code: number | null;
  readonly subcode: number | null;
  readonly isTransient: boolean;
  /** For users: on one line and without secrets. */
  readonly text: string | null;
  readonly retryAfterSeconds?: number | null;
}

/** The message contains only the platform's codes, so it may be shown. */
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

  /** An accessor keeps the text, which may quote user content, out of logs and stored failures. */
  get text(): string | null {
    return this.#text;
  }
}

/** No connection, a timeout, a platform error, or a malformed response. */
export class PlatformUnavailable extends Error {
  override readonly name = 'PlatformUnavailable';
  /** If false, the call may have taken effect. */
  readonly notSent: boolean;
  /** Users may see the effect, and repeating the call is harmless. */
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

/** A write with an unknown outcome. It is never retried automatically; a person must check it. */
export class PlatformOutcomeLost extends Error {
  override readonly name = 'PlatformOutcomeLost';
}
