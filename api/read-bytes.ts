import { BUSY_RETRY_SECONDS, type BodyReservation } from '../body-budget.ts';
import { readBody } from '../read-body.ts';
import { BodyAborted, OverCapacity, PayloadTooLarge } from './errors.ts';
import type { ApiContext } from './state.ts';

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
