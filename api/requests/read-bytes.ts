import type { BodyReservation } from '../../process/body-budget.ts';
import { readBody } from '../../process/read-body.ts';
import { HttpError, PayloadTooLarge } from './errors.ts';
import type { ApiContext } from './state.ts';

/** The client disconnected, so it receives no response. */
export class BodyAborted extends HttpError {
  constructor() {
    super('VALIDATION_ERROR', 'The request ended before its body did.');
  }
}

/** Throws PayloadTooLarge, OverCapacity or BodyAborted. */
export async function readBytes(
  { req }: Pick<ApiContext, 'req'>,
  { maxBytes, reservation }: { readonly maxBytes: number; readonly reservation: BodyReservation },
): Promise<Buffer> {
  const body = await readBody(req, { maxBytes, reservation });
  switch (body) {
    case 'too_large':
      throw new PayloadTooLarge(maxBytes);
    case 'no_room':
      throw reservation.refusal();
    case 'aborted':
      throw new BodyAborted();
  }
  return body;
}
