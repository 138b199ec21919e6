import type { EventType } from '../contract/event-types.ts';
import { sequencedId, type IdKey } from '../contract/ids.ts';
import { deliveryHeaders } from '../contract/signature.ts';
import { hmacSha256, type OpenSecret } from './open-secret.ts';

/** What of a delivery goes into its headers. */
export interface SignableDelivery {
  readonly id: number;
  readonly eventId: number;
  readonly eventType: EventType;
  readonly channelId: string;
  /** Valid now, newest first. */
  readonly sealedSecrets: readonly string[];
  /** Decrypted. */
  readonly body: Buffer;
}

/** Makes all headers of an attempt with this number, as of now. */
export type SignDelivery = (delivery: SignableDelivery, number: number) => Record<string, string>;

/** Makes the one function that signs deliveries: those that are posted, and those that a listener's reader is given. */
export function createSignDelivery({ idKey, openSecret }: { idKey: IdKey; openSecret: OpenSecret }): SignDelivery {
  return (delivery, number) =>
    deliveryHeaders(
      {
        deliveryId: sequencedId(idKey, 'delivery', delivery.id),
        eventId: sequencedId(idKey, 'event', delivery.eventId),
        eventType: delivery.eventType,
        attempt: number,
        atMs: Date.now(),
        body: delivery.body,
        secrets: delivery.sealedSecrets.map((sealed) => openSecret(sealed, delivery.channelId)),
      },
      hmacSha256,
    );
}
