import type { EventType } from '../../../contract/event-types.ts';
import { encodeFrame, type Frame } from '../../../process/framed-socket.ts';

/** A pending delivery that was committed just now, with what its pump needs to send it without a claim. */
export interface DeliveryOffer {
  readonly id: number;
  readonly eventId: number;
  readonly destinationId: number;
  readonly shard: number;
  /** The destination's version when it was accepted. Null unless its circuit is closed. */
  readonly destinationVersion: number | null;
  /** Deliveries of its conversation that had not ended. With `MAX_BEFORE` of them there may be more. */
  readonly before: readonly number[];
  readonly eventType: EventType;
  readonly eventFlags: string | null;
  readonly conversationKey: number;
  readonly traceParent: string | null;
  readonly acceptedAtMs: number;
  readonly body: Buffer;
  readonly bodyKeyId: string | null;
}

export const MAX_BEFORE = 4;

/** The messages between API processes and workers. Change it with them. */
export const OFFERS_PROTOCOL = 'delivery-offers/1';

interface OfferRow extends Omit<DeliveryOffer, 'body'> {
  readonly bodyAt: number;
  readonly bodyLength: number;
}

/** Deliveries of the same event share its body. */
export function encodeOffers(offers: readonly DeliveryOffer[]): Buffer {
  const bodies: Buffer[] = [];
  let bytes = 0;
  const rows = offers.map(({ body, ...offer }): OfferRow => {
    if (body !== bodies.at(-1)) {
      bodies.push(body);
      bytes += body.length;
    }
    return { ...offer, bodyAt: bytes - body.length, bodyLength: body.length };
  });
  return encodeFrame(rows, bodies);
}

/** Copies the bodies, because one that waits would keep those of the whole frame in memory. */
export function decodeOffers({ value, bytes }: Frame): DeliveryOffer[] {
  return (value as readonly OfferRow[]).map(({ bodyAt, bodyLength, ...offer }) => ({
    ...offer,
    body: Buffer.from(bytes.subarray(bodyAt, bodyAt + bodyLength)),
  }));
}
