import { z } from 'zod';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { attemptOutcomes, deliveryStatuses, destinationTypes, skipReasons } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { idField, instantField, nextCursorField, pageQuery, wordListField } from '../definitions/fields.ts';

const destinationSchema = z
  .strictObject({
    type: z.enum(destinationTypes),
    url: z.string().nullable(),
    label: z.string().nullable(),
    subscriptionId: idField('subscription', 'The subscription, where it is one.').nullable(),
    listenerId: idField('listener', 'The listener, where it is one; its url is null.').nullable(),
  })
  .meta({ id: 'DeliveryDestination' });

export const attemptSchema = z
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

const circuitAheadSchema = z
  .strictObject({
    reason: z.enum(circuitReasons).meta({
      description: '`failures`: the receiver failed again and again. `retry_after`: it asked to be left alone.',
    }),
    openedAt: instantField,
    nextProbeAt: instantField.meta({
      description: 'When one delivery is tried; all others go once the receiver accepts one.',
    }),
  })
  .meta({ id: 'CircuitAhead' });

const summaryFields = {
  deliveryId: idField('delivery', 'The delivery: one event to one destination.'),
  eventId: idField('event', 'The event.'),
  channelId: idField('channel', 'The channel that the event came for.'),
  eventType: z.enum(eventTypes),
  destination: destinationSchema.nullable().meta({ description: 'Null where the channel had none.' }),
  status: z.enum(deliveryStatuses),
  sender: z.string().nullable(),
  platformMessageId: z.string().nullable(),
  receivedAt: instantField.meta({ description: 'When the event came.' }),
  createdAt: instantField.meta({
    description: 'When this delivery was made: with its event, or later where it is a replay. Lists go by it.',
  }),
  nextAttemptAt: instantField.nullable().meta({
    description:
      'Not before: its place in the retry schedule, or the next probe of the circuit that it waits for, the later of both.',
  }),
  waitsForCircuit: circuitAheadSchema.nullable().meta({
    description:
      'Why it waits although nothing is wrong with it: its destination is left alone. Null where it waits for none.',
  }),
  skipReason: z.enum(skipReasons).nullable(),
  workflowId: z.string().nullable().meta({ description: 'The workflow that carries a delivery through its retries.' }),
  replayOf: idField('delivery', 'The delivery whose event this one sends again.')
    .nullable()
    .meta({ description: 'Null for one that was made when its event came.' }),
  replayId: idField('replay', 'The replay that made it.')
    .nullable()
    .meta({ description: 'Null where none did; a delivery that was replayed by itself has only `replayOf`.' }),
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

export const deliveryTargetField = z
  .string()
  .regex(/^(?:webhook|(?:sub|lst)_[A-Za-z0-9]{8})$/)
  .meta({ description: '`webhook`, or the id of a subscription or a listener.' });

const scopeField = z
  .string()
  .regex(/^(?:channel:ch|workspace:ws)_[A-Za-z0-9]{8}$/)
  .meta({ description: '`channel:<id>`, or `workspace:<id>` for all channels of the workspace in X-Workspace-Id.' });

/** Lists take several of each, as a reader of what is in trouble asks for what is retried and what was given up. */
export const deliveryKindQuery = {
  status: wordListField(deliveryStatuses, 'In one of these states').optional(),
  eventType: wordListField(eventTypes, 'Of one of these types').optional(),
};

export const deliveryStreamQuery = z.strictObject({ scope: scopeField, ...deliveryKindQuery });

export const deliveryListQuery = z.strictObject({
  scope: scopeField.optional().meta({
    description: '`channel:<id>`, or `workspace:<id>`; the whole workspace in X-Workspace-Id where left out.',
  }),
  ...deliveryKindQuery,
  since: z.iso.datetime({ offset: true }).optional().meta({ description: 'Made at or after.' }),
  until: z.iso.datetime({ offset: true }).optional().meta({ description: 'Made before.' }),
  destination: deliveryTargetField.optional(),
  sender: z.string().min(1).max(200).optional().meta({ description: 'Who sent it, as the platform names them.' }),
  platformMessageId: z.string().min(1).max(500).optional().meta({ description: "The platform's own id of it." }),
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
      description: "`webhook`, or the id of a subscription or a listener; the delivery's own destination unless given.",
    }),
  })
  .meta({ id: 'DeliveryReplayInput' });
