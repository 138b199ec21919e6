import { type IdKey, sequencedId } from '../../contract/ids.ts';
import { LISTENER_KEPT_DAYS } from '../../contract/listeners/bounds.ts';
import type { Listener } from '../../db/listeners/listeners.ts';
import type { ListenerDelivery } from '../../db/ledger/listeners/listener-deliveries.ts';
import type { SignDelivery } from '../../activities/signing/sign-delivery.ts';

const KEPT_MS = LISTENER_KEPT_DAYS * 86_400_000;

export function presentListener(listener: Listener, channelId: string) {
  const { publicId: listenerId, createdAt, lastReadAt } = listener;
  return { ...listener, listenerId, channelId, expiresAt: new Date((lastReadAt ?? createdAt).getTime() + KEPT_MS) };
}

export interface OpenListenerDelivery extends Omit<ListenerDelivery, 'body'> {
  readonly body: Buffer;
}

export function presentListenerDelivery(
  delivery: OpenListenerDelivery,
  { idKey, sign }: { readonly idKey: IdKey; readonly sign: SignDelivery },
) {
  const attempt = delivery.attemptCount + 1;
  return {
    ...delivery,
    deliveryId: sequencedId(idKey, 'delivery', delivery.id),
    eventId: sequencedId(idKey, 'event', delivery.eventId),
    attempt,
    headers: sign(delivery, attempt),
    payload: delivery.body.toString('utf8'),
  };
}
