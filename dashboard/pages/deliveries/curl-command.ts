import type { Schema } from '../../../client/create-client.ts';
import { shellQuote } from '../../kit/texts/shell-quote.ts';

type Sent = Pick<Schema<'Delivery'>, 'deliveryId' | 'eventId' | 'eventType' | 'payload' | 'destination' | 'attempts'>;

/**
 * The request as a line for a terminal, byte for byte, but for the signatures: these are over the moment of sending, and
 * the secret has no place in somebody's clipboard.
 */
export function curlCommand({ deliveryId, eventId, eventType, payload, destination, attempts }: Sent): string {
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
