/** The platform refused a call; the codes are its own, the message is for people and may be shown. */
export class PlatformRejected extends Error {
  override readonly name = 'PlatformRejected';
  readonly status: number;
  readonly code: number | null;
  readonly subcode: number | null;

  constructor({ status, code, subcode }: { status: number; code: number | null; subcode: number | null }) {
    super(`The platform answered ${status} with code ${code ?? 'none'}, subcode ${subcode ?? 'none'}`);
    this.status = status;
    this.code = code;
    this.subcode = subcode;
  }
}

/** No usable answer came: no connection, no answer in time, a fault of the platform's own, or bytes that make no sense. */
export class PlatformUnavailable extends Error {
  override readonly name = 'PlatformUnavailable';
}
