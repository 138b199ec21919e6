import type { Schema } from '../../../client/create-client.ts';
import { curlCommand } from '../../../contract/deliveries/curl-command.ts';

type UnsentDelivery = Pick<
  Schema<'Delivery'>,
  'deliveryId' | 'eventId' | 'eventType' | 'payload' | 'destination' | 'attempts'
>;

/** For a delivery without a recorded request: to the present URL, without signatures. */
export function unsignedCurl(delivery: UnsentDelivery): string {
  const { deliveryId, eventId, eventType, payload, destination, attempts } = delivery;
  const headers = {
    'content-type': 'application/json',
    'x-service-delivery-id': deliveryId,
    'x-service-event-id': eventId,
    'x-service-event-type': eventType,
    'x-service-attempt': String(Math.max(1, attempts.at(-1)?.number ?? 1)),
    'webhook-id': deliveryId,
  };
  return curlCommand({ url: destination?.url ?? 'http://127.0.0.1:3000/', headers, payload });
}
