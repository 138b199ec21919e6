import { z } from 'zod';
import { attemptOutcomes } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { idField, instantField, namedObject } from '../definitions/fields.ts';

const batchedEventSchema = z.strictObject({
  deliveryId: idField('delivery', 'The delivery.'),
  eventId: idField('event', 'Its event.'),
  eventType: z.enum(eventTypes),
  eventFlags: z
    .string()
    .nullable()
    .describe('The member `eventFlags` of the element, as in the header of a single event, or null.'),
  attempt: z.int().min(1).describe('The number of its attempt.'),
});

const sentRequestSchema = namedObject('SentRequest', {
  attempt: z.int().min(1).describe('The number of the attempt.'),
  url: z.string().describe('The URL at that time. The destination may have another one now.'),
  headers: z
    .record(z.string(), z.string())
    .describe(
      'As they were sent, with the signatures. `[redacted]` replaces the values of static headers and of ' +
        '`authorization`, which are not recorded. Without the headers of the connection, such as `host`.',
    ),
  bodySha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 of the bytes that were sent and signed, in hex digits.'),
  events: z
    .array(batchedEventSchema)
    .nullable()
    .describe(
      'The events of the array, in order, if the destination was debounced. Null otherwise, and if one of them is no ' +
        'longer stored: the header `x-service-event-count` then still has their number.',
    ),
});

export const sentRequestListSchema = namedObject('SentRequestList', {
  requests: z.array(sentRequestSchema).describe('At most one for each attempt, in their order.'),
});
export type SentRequestBody = z.output<typeof sentRequestSchema>;

const sentUrlField = z
  .string()
  .nullable()
  .describe(
    'The URL that the attempt was sent to, even if the destination has another one now. Null if nothing was sent or the ' +
      'event is erased, for attempts before this was recorded, for a listener, and for the webhook in a portal.',
  );

const attemptErrorField = z
  .string()
  .nullable()
  .describe(
    'Why there was no response. Beside a status: what cut the response off within its body, such as `reset` or ' +
      '`timeout`; the outcome follows from the status alone. Null otherwise. Values may be added.',
  );

export const attemptSchema = namedObject('DeliveryAttempt', {
  number: z.int().min(1),
  startedAt: instantField,
  durationMs: z.int().min(0),
  outcome: z.enum(attemptOutcomes),
  status: z.int().nullable().describe('HTTP status of the response; null without a response.'),
  responseHeaders: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .describe(
      'Without the values of cookies, credentials and the like, which are `[redacted]`. Of `location`, only the origin.',
    ),
  responseBody: z.string().nullable().describe('The first 16 KiB of the response, as UTF-8.'),
  error: attemptErrorField,
  url: sentUrlField,
  batch: z
    .strictObject({
      id: z.string().describe('The header `webhook-id` of the request.'),
      deliveryIds: z.array(z.string()).describe('The deliveries of the array, in order.'),
    })
    .nullable()
    .describe('What the request carried, if the destination was debounced; null otherwise.'),
});

export const lastAttemptSchema = namedObject('LastAttempt', {
  number: z.int().min(1),
  startedAt: instantField,
  durationMs: z.int().min(0),
  outcome: z.enum(attemptOutcomes),
  status: z.int().nullable().describe('HTTP status of the response; null without a response.'),
  error: attemptErrorField,
  url: sentUrlField,
});
