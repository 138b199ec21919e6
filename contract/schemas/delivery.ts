import { z } from 'zod';
import { attemptOutcomes, deliveryStatuses, destinationTypes, skipReasons } from '../delivery-status.ts';
import { eventTypes } from '../event-types.ts';
import { idField, instantField, nextCursorField, pageQuery } from './fields.ts';

const destinationSchema = z
  .strictObject({
    type: z.enum(destinationTypes),
    url: z.string().nullable(),
    label: z.string().nullable(),
    subscriptionId: idField('subscription', 'The subscription, where it is one.').nullable(),
  })
  .meta({ id: 'DeliveryDestination' });

const attemptSchema = z
  .strictObject({
    number: z.int().min(1),
    startedAt: instantField,
    durationMs: z.int().min(0),
    outcome: z.enum(attemptOutcomes),
    status: z.int().nullable().meta({ description: 'HTTP status of the answer; null where none came.' }),
    responseHeaders: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
    responseBody: z.string().nullable().meta({ description: 'The first 16 KiB of the answer, as UTF-8.' }),
    error: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });

const summaryFields = {
  deliveryId: idField('delivery', 'The delivery: one event to one destination.'),
  eventId: idField('event', 'The event.'),
  channelId: idField('channel', 'The channel that the event came for.'),
  eventType: z.enum(eventTypes),
  destination: destinationSchema.nullable().meta({ description: 'Null where the channel had none.' }),
  status: z.enum(deliveryStatuses),
  sender: z.string().nullable(),
  platformMessageId: z.string().nullable(),
  receivedAt: instantField,
  nextAttemptAt: instantField.nullable(),
  skipReason: z.enum(skipReasons).nullable(),
  workflowId: z.string().nullable().meta({ description: 'The workflow that carries a delivery through its retries.' }),
};

export const deliverySummarySchema = z.strictObject(summaryFields).meta({ id: 'DeliverySummary' });
export type DeliverySummaryBody = z.output<typeof deliverySummarySchema>;

export const deliverySchema = z
  .strictObject({
    ...summaryFields,
    payload: z.string().meta({ description: 'The stored bytes, which are signed and sent, as UTF-8.' }),
    attempts: z.array(attemptSchema),
  })
  .meta({ id: 'Delivery' });
export type DeliveryBody = z.output<typeof deliverySchema>;

export const deliveryListQuery = z.strictObject({
  scope: z
    .string()
    .regex(/^channel:ch_[A-Za-z0-9]{8}$/)
    .optional()
    .meta({ description: '`channel:<id>`; the whole workspace where left out.' }),
  status: z.enum(deliveryStatuses).optional(),
  eventType: z.enum(eventTypes).optional(),
  since: z.iso.datetime({ offset: true }).optional().meta({ description: 'Received at or after.' }),
  until: z.iso.datetime({ offset: true }).optional().meta({ description: 'Received before.' }),
  ...pageQuery,
});
export type DeliveryListQuery = z.output<typeof deliveryListQuery>;

export const deliveryListSchema = z
  .strictObject({ deliveries: z.array(deliverySummarySchema), nextCursor: nextCursorField })
  .meta({ id: 'DeliveryList' });

export const deliveryRetrySchema = z
  .strictObject({ deliveryId: idField('delivery', 'The delivery.'), status: z.enum(['pending', 'retrying']) })
  .meta({ id: 'DeliveryRetry' });
