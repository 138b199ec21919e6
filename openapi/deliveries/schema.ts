import { z } from 'zod';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { attemptOutcomes, deliveryStatuses, destinationTypes, skipReasons } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { idField, instantField, nextCursorField, pageQuery, wordListField } from '../definitions/fields.ts';

const destinationSchema = z
  .strictObject({
    type: z.enum(destinationTypes),
    url: z.string().nullable().meta({ description: 'Null for a listener, and for the webhook in a portal.' }),
    label: z.string().nullable(),
    subscriptionId: idField('subscription', 'The subscription, or null.').nullable(),
    listenerId: idField('listener', 'The listener, or null. A listener has no URL.').nullable(),
  })
  .meta({ id: 'DeliveryDestination' });

const batchedEventSchema = z.strictObject({
  deliveryId: idField('delivery', 'The delivery.'),
  eventId: idField('event', 'Its event.'),
  eventType: z.enum(eventTypes),
  attempt: z.int().min(1).meta({ description: 'The number of its attempt.' }),
});

const sentRequestSchema = z
  .strictObject({
    attempt: z.int().min(1).meta({ description: 'The number of the attempt.' }),
    url: z.string().meta({ description: 'The URL at that time. The destination may have another one now.' }),
    headers: z.record(z.string(), z.string()).meta({
      description:
        'As they were sent, with the signatures. `[redacted]` replaces the values of static headers and of ' +
        '`authorization`, which are not recorded. Without the headers of the connection, such as `host`.',
    }),
    bodySha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'SHA-256 of the bytes that were sent and signed, in hex digits.' }),
    events: z
      .array(batchedEventSchema)
      .nullable()
      .meta({
        description:
          'The events of the array, in order, if the destination was debounced. Null otherwise, and if one of them is no ' +
          'longer stored: the header `x-service-event-count` then still has their number.',
      }),
  })
  .meta({ id: 'SentRequest' });

export const sentRequestListSchema = z
  .strictObject({
    requests: z.array(sentRequestSchema).meta({ description: 'At most one for each attempt, in their order.' }),
  })
  .meta({ id: 'SentRequestList' });
export type SentRequestBody = z.output<typeof sentRequestSchema>;

export const attemptSchema = z
  .strictObject({
    number: z.int().min(1),
    startedAt: instantField,
    durationMs: z.int().min(0),
    outcome: z.enum(attemptOutcomes),
    status: z.int().nullable().meta({ description: 'HTTP status of the response; null without a response.' }),
    responseHeaders: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    responseBody: z.string().nullable().meta({ description: 'The first 16 KiB of the response, as UTF-8.' }),
    error: z.string().nullable(),
    batch: z
      .strictObject({
        id: z.string().meta({ description: 'The header `webhook-id` of the request.' }),
        deliveryIds: z.array(z.string()).meta({ description: 'The deliveries of the array, in order.' }),
      })
      .nullable()
      .meta({ description: 'What the request carried, if the destination was debounced; null otherwise.' }),
  })
  .meta({ id: 'DeliveryAttempt' });

const circuitAheadSchema = z
  .strictObject({
    reason: z.enum(circuitReasons).meta({
      description: '`failures`: the receiver failed repeatedly. `retry_after`: it requested a pause.',
    }),
    openedAt: instantField,
    nextProbeAt: instantField.meta({
      description: 'When one delivery is attempted. The others follow once the receiver accepts one.',
    }),
  })
  .meta({ id: 'CircuitAhead' });

const summaryFields = {
  deliveryId: idField('delivery', 'The delivery of one event to one destination.'),
  eventId: idField('event', 'The event.'),
  channelId: idField('channel', 'The channel of the event.'),
  eventType: z.enum(eventTypes),
  destination: destinationSchema.nullable().meta({ description: 'Null if the channel had none.' }),
  status: z.enum(deliveryStatuses),
  sender: z.string().nullable(),
  platformMessageId: z.string().nullable(),
  receivedAt: instantField.meta({ description: 'When the event was received.' }),
  createdAt: instantField.meta({
    description: 'When the delivery was created: with its event, or later for a replay. Lists are ordered by it.',
  }),
  nextAttemptAt: instantField.nullable().meta({
    description:
      'The earliest time of the next attempt: by the retry schedule, or by the next probe of an open circuit if that is later.',
  }),
  waitsForCircuit: circuitAheadSchema.nullable().meta({
    description: 'The open circuit of the destination that holds the delivery back, or null.',
  }),
  skipReason: z.enum(skipReasons).nullable(),
  workflowId: z
    .string()
    .nullable()
    .meta({ description: 'The workflow that retries the delivery; null before its third failure.' }),
  replayOf: idField('delivery', 'The delivery whose event this one repeats.')
    .nullable()
    .meta({ description: 'Null unless it is a replay.' }),
  replayId: idField('replay', 'The replay that created it.').nullable().meta({
    description: 'Null if no bulk replay created it. A delivery that was replayed individually has only `replayOf`.',
  }),
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .meta({ description: 'The trace of the event, to quote to support; null if the event is not sampled.' }),
  erasedAt: instantField.nullable().meta({
    description: 'When the body, the sender and the responses were erased; null if they were not.',
  }),
};

export const deliverySummarySchema = z.strictObject(summaryFields).meta({ id: 'DeliverySummary' });
export type DeliverySummaryBody = z.output<typeof deliverySummarySchema>;

export const deliverySchema = z
  .strictObject({
    ...summaryFields,
    payload: z.string().meta({ description: 'The stored body, which is signed and sent, as UTF-8.' }),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: 'Delivery' });
export type DeliveryBody = z.output<typeof deliverySchema>;

export const deliveryTargetField = z
  .string()
  .regex(/^(?:webhook|(?:sub|lst)_[A-Za-z0-9]{8})$/)
  .meta({ description: '`webhook`, or the id of a subscription or a listener.' });

const scopeField = z
  .string()
  .regex(/^(?:channel:ch|workspace:ws)_[A-Za-z0-9]{8}$/)
  .meta({ description: '`channel:<id>`, or `workspace:<id>` for all channels of the workspace in X-Workspace-Id.' });

export const deliveryKindQuery = {
  status: wordListField(deliveryStatuses, 'Filters by status').optional(),
  eventType: wordListField(eventTypes, 'Filters by event type').optional(),
};

export const deliveryStreamQuery = z.strictObject({ scope: scopeField, ...deliveryKindQuery });

export const deliveryListQuery = z.strictObject({
  scope: scopeField.optional().meta({
    description: '`channel:<id>` or `workspace:<id>`; the workspace in X-Workspace-Id by default.',
  }),
  ...deliveryKindQuery,
  since: z.iso.datetime({ offset: true }).optional().meta({ description: 'Created at or after this time.' }),
  until: z.iso.datetime({ offset: true }).optional().meta({ description: 'Created before this time.' }),
  destination: deliveryTargetField.optional(),
  sender: z.string().min(1).max(200).optional().meta({ description: "The sender's id at the platform." }),
  platformMessageId: z.string().min(1).max(500).optional().meta({ description: "The platform's id of the message." }),
  ...pageQuery,
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

export const deliveryListSchema = z
  .strictObject({ deliveries: z.array(deliverySummarySchema), nextCursor: nextCursorField })
  .meta({ id: 'DeliveryList' });

export const deliveryRetrySchema = z
  .strictObject({ deliveryId: idField('delivery', 'The delivery.'), status: z.enum(['pending', 'retrying']) })
  .meta({ id: 'DeliveryRetry' });

export const deliveryCancelSchema = z
  .strictObject({ deliveryId: idField('delivery', 'The delivery.'), status: z.literal('cancelled') })
  .meta({ id: 'DeliveryCancel' });

export const deliveryReplayInput = z
  .strictObject({
    destination: deliveryTargetField.optional().meta({
      description: "`webhook`, or the id of a subscription or a listener; the delivery's destination by default.",
    }),
  })
  .meta({ id: 'DeliveryReplayInput' });
