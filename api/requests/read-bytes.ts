import { BUSY_RETRY_SECONDS, type BodyReservation } from '../../process/body-budget.ts';
import { readBody } from '../../process/read-body.ts';
import { ApiError, PayloadTooLarge } from './errors.ts';
import type { ApiContext } from './state.ts';

/** The process holds as many bytes of request bodies as it may. Nothing was read or done. */
export class OverCapacity extends ApiError {
  constructor(retryAfterSeconds: number) {
    const headers = { 'retry-after': String(retryAfterSeconds) };
    super('SERVICE_UNAVAILABLE', 'Too many request bodies are being received. Nothing was done; try again shortly.', {
      headers,
    });
  }
}

/** The client went away before it had sent its whole request; it gets no answer. */
export class BodyAborted extends ApiError {
  constructor() {
    super('VALIDATION_ERROR', 'The request ended before its body did.');
  }
}

/** Reads the raw bytes of a request whole, or throws why it cannot. */
export async function readBytes(
  { req }: Pick<ApiContext, 'req'>,
  { maxBytes, reservation }: { readonly maxBytes: number; readonly reservation: BodyReservation },
): Promise<Buffer> {
  const body = await readBody(req, { maxBytes, reservation });
  switch (body) {
    case 'too_large':
      throw new PayloadTooLarge(maxBytes);
    case 'no_room':
      throw new OverCapacity(BUSY_RETRY_SECONDS);
    case 'aborted':
      throw new BodyAborted();
  }
  return body;
}
