import { HttpError, OutcomeUnknown, ScopeDenied, ServiceUnavailable } from '../../process/http-errors.ts';

export class MissingBearer extends HttpError {
  constructor(message: string) {
    super('MISSING_BEARER', message, { headers: { 'www-authenticate': 'Bearer' } });
  }
}

export function objectDenied(): ScopeDenied {
  return new ScopeDenied('This channel token cannot access that object.');
}

interface NotForwarded {
  readonly method: string;
  readonly edge?: string;
  readonly of: string;
  readonly allowed: readonly string[];
}

export function notForwarded({ method, edge, of, allowed }: NotForwarded): ScopeDenied {
  const place = edge === undefined ? `${of} itself` : `the edge ${edge} of ${of}`;
  const others = allowed.length === 0 ? '' : ` (only ${allowed.join(', ')})`;
  return new ScopeDenied(
    `The object belongs to this channel, but the gateway does not forward ${method} to ${place}${others}. ` +
      '"Edges" in the guide to the gateway lists what it forwards.',
  );
}

export function storageUnreachable(cause: unknown): ServiceUnavailable {
  const message = 'The service cannot reach its database. Nothing was sent to the platform. Try again shortly.';
  return new ServiceUnavailable(message, { cause });
}

export function outcomeUnknown(cause?: unknown): OutcomeUnknown {
  const message =
    'The platform did not answer and may have carried out the call. It was not repeated. Check its result before you try again.';
  return new OutcomeUnknown(message, { cause });
}

/** For requests whose body has not arrived in full, so that the platform has done nothing. */
export function stopping(): ServiceUnavailable {
  return new ServiceUnavailable('The gateway is stopping. Nothing was done. Try again shortly.');
}

export function credentialRefused(reason: string): HttpError {
  return new HttpError('CREDENTIAL_REFUSED', reason);
}

export function disconnected(): HttpError {
  return new HttpError('CHANNEL_DISCONNECTED', 'The channel of this token is disconnected. Connect it again.');
}
