import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { EventType } from '../../contract/event-types.ts';
import { type EventEntry, eventCatalogue } from '../events/event-catalogue.ts';

const headersOf = (eventType: EventType) =>
  z.object({
    'X-Service-Signature-256': z
      .string()
      .describe(
        '`sha256=` and the HMAC-SHA256 of the raw body in lower-case hex, keyed on WEBHOOK_HMAC_SECRET. During a ' +
          'rotation there are two, comma-separated, newest first.',
      ),
    'X-Service-Delivery-Id': z.string().describe('The same on each attempt. Deduplicate by it.'),
    'X-Service-Event-Id': z.string().describe('The same for all destinations of the event.'),
    'X-Service-Event-Type': z.literal(eventType).describe('What happened.'),
    'X-Service-Event-Flags': z
      .string()
      .optional()
      .describe(
        'Only if there are any: `echo` if the business itself sent it, so that you do not answer yourself, `unsend` if a ' +
          'message was deleted, or both with a comma.',
      ),
    'X-Service-Attempt': z.string().describe('Counts from 1.'),
    'webhook-id': z.string().describe('The delivery id (Standard Webhooks).'),
    'webhook-timestamp': z.string().describe('Seconds since 1970 (Standard Webhooks).'),
    'webhook-signature': z.string().describe('Space-separated `v1,` signatures (Standard Webhooks).'),
  });

const GATHERED =
  'A debounced destination gets a JSON array instead: each element has `deliveryId`, `eventId`, `eventType`, `attempt`, ' +
  '`eventFlags` if there are any, and `event`, which is this body. The headers `X-Service-Delivery-Id`, ' +
  '`X-Service-Event-Id`, `X-Service-Event-Type`, `X-Service-Event-Flags` and `X-Service-Attempt` are omitted, `X-Service-Event-Count` has the number of elements, and `webhook-id` names the request.';

/** What receivers get, by event type. */
export const eventWebhooks: ZodOpenApiPathsObject = Object.fromEntries(
  Object.entries(eventCatalogue).map(([eventType, entry]) => [
    eventType,
    { post: deliveryOf(eventType as EventType, entry) },
  ]),
);

function deliveryOf(eventType: EventType, { summary, schema, example }: EventEntry) {
  return {
    operationId: `receive${camel(eventType)}`,
    summary: summary.replace(/\.$/, ''),
    description: GATHERED,
    tags: ['Deliveries to receivers'],
    requestParams: { header: headersOf(eventType) },
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': { description: 'The delivery is accepted.' },
      '410': { description: 'Disables the destination after one confirming attempt.' },
      default: { description: 'The delivery is retried.' },
    },
  };
}

function camel(eventType: string): string {
  return eventType
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
