import type { Schema } from '../../../client/create-client.ts';
import { shellQuote } from '../../kit/format/shell-quote.ts';

type SentDelivery = Pick<
  Schema<'Delivery'>,
  'deliveryId' | 'eventId' | 'eventType' | 'payload' | 'destination' | 'attempts'
>;

/**
 * Returns the request as a shell command with the exact body. Omits the signatures: they depend on the time of sending,
 * and the secret must not reach the clipboard.
 */
export function curlCommand({ deliveryId, eventId, eventType, payload, destination, attempts }: SentDelivery): string {
  const headers = {
    'content-type': 'application/json',
    'x-service-delivery-id': deliveryId,
    'x-service-event-id': eventId,
    'x-service-event-type': eventType,
    'x-service-attempt': String(Math.max(1, attempts.at(-1)?.number ?? 1)),
    'webhook-id': deliveryId,
  };
  const url = destination?.url ?? 'http://127.0.0.1:3000/';
  const parts = [
    `curl -i -X POST ${shellQuote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    `--data-raw ${shellQuote(payload)}`,
  ];
  return parts.join(' \\\n  ');
}
