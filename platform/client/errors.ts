export interface PlatformRejection {
  readonly status: number;
  readonly code: number | null;
  readonly subcode: number | null;
  /** The platform says that the same call may succeed later. */
  readonly isTransient: boolean;
  /** What the platform says to people, on one line and without any secret of the call; null where it says nothing. */
  readonly text: string | null;
  /** When the platform says that a call may succeed; null or left out where it does not say. */
  readonly retryAfterSeconds?: number | null;
}

/** The platform refused a call; the codes are its own, the message is for people and may be shown. */
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

  /** Not a field, and so in no log and no stored failure: it may speak of what a person wrote. */
  get text(): string | null {
    return this.#text;
  }
}

/** No usable answer came: no connection, no answer in time, a fault of the platform's own, or bytes that make no sense. */
export class PlatformUnavailable extends Error {
  override readonly name = 'PlatformUnavailable';
  /** True where it is certain that nothing left for the platform; else the call may have had its effect. */
  readonly notSent: boolean;
  /** True where people may see the effect of the call, and having it twice does no harm. */
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

/** A write whose answer does not tell whether it was done: to be looked at by people, never repeated by itself. */
export class PlatformOutcomeLost extends Error {
  override readonly name = 'PlatformOutcomeLost';
}
