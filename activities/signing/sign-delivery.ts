import { sequencedId, type IdKey } from '../../contract/ids.ts';
import type { SignableDelivery } from '../../contract/deliveries/signable-delivery.ts';
import { deliveryHeaders } from '../../contract/deliveries/signature.ts';
import { hmacSha256, type OpenSecret } from './open-secret.ts';

export type SignDelivery = (delivery: SignableDelivery, number: number) => Record<string, string>;

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
