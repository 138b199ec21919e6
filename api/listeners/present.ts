import { type IdKey, sequencedId } from '../../contract/ids.ts';
import { LISTENER_KEPT_DAYS } from '../../contract/listeners/bounds.ts';
import type { ListenerBody, ListenerDeliveryBody } from '../../openapi/listeners/routes.ts';
import type { Listener } from '../../db/listeners/listeners.ts';
import type { ListenerDelivery } from '../../db/ledger/listeners/listener-deliveries.ts';
import type { SignDelivery } from '../../activities/signing/sign-delivery.ts';

const KEPT_MS = LISTENER_KEPT_DAYS * 86_400_000;

export function presentListener(listener: Listener, channelId: string): ListenerBody {
  const { publicId, label, eventTypes, createdAt, lastReadAt } = listener;
  return {
    listenerId: publicId,
    channelId,
    label,
    eventTypes: eventTypes && [...eventTypes],
    createdAt: createdAt.toISOString(),
    lastReadAt: lastReadAt?.toISOString() ?? null,
    expiresAt: new Date((lastReadAt ?? createdAt).getTime() + KEPT_MS).toISOString(),
  };
}

export interface OpenListenerDelivery extends Omit<ListenerDelivery, 'body'> {
  readonly body: Buffer;
}

export function presentListenerDelivery(
  delivery: OpenListenerDelivery,
  { idKey, sign }: { readonly idKey: IdKey; readonly sign: SignDelivery },
): ListenerDeliveryBody {
  const attempt = delivery.attemptCount + 1;
  return {
    deliveryId: sequencedId(idKey, 'delivery', delivery.id),
    eventId: sequencedId(idKey, 'event', delivery.eventId),
    eventType: delivery.eventType,
    receivedAt: delivery.receivedAt.toISOString(),
    sender: delivery.sender,
    attempt,
    headers: sign(delivery, attempt),
    payload: delivery.body.toString('utf8'),
  };
}
