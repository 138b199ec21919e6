import type { Schema } from '../../../../client/create-client.ts';
import { batchText } from '../../../../contract/deliveries/batch.ts';
import { curlCommand } from '../../../../contract/deliveries/curl-command.ts';

type SentDelivery = Pick<
  Schema<'Delivery'>,
  'deliveryId' | 'eventId' | 'eventType' | 'payload' | 'destination' | 'attempts'
>;

/**
 * Returns the recorded request with its signatures. Without a record: one without signatures, to the present URL. For a
 * request with several events: the command that reads them.
 */
export function deliveryCurl(delivery: SentDelivery, request: Schema<'SentRequest'> | undefined): string {
  const { deliveryId, eventId, eventType, payload, destination, attempts } = delivery;
  const [event, another] = request?.events ?? [];
  if (another) return `channels deliveries curl ${deliveryId} --attempt ${request!.attempt}`;
  if (request) return curlCommand({ ...request, payload: event ? batchText([{ ...event, payload }]) : payload });
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
