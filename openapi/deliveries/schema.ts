import { z } from 'zod';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { cancelReasons, deliveryStatuses, destinationTypes, skipReasons } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { auditActorTypes } from '../../contract/identity/actor-types.ts';
import { idField, instantField, namedObject } from '../definitions/fields.ts';
import { attemptSchema } from './attempt-schema.ts';

const destinationSchema = namedObject('DeliveryDestination', {
  type: z.enum(destinationTypes),
  url: z
    .string()
    .nullable()
    .describe(
      'The URL that the destination has now; each attempt has the one it was sent to. Null for a listener, and for the ' +
        'webhook in a portal.',
    ),
  label: z.string().nullable(),
  subscriptionId: idField('subscription', 'The subscription, or null.').nullable(),
  listenerId: idField('listener', 'The listener, or null. A listener has no URL.').nullable(),
});

const cancellationSchema = z
  .strictObject({
    reason: z
      .enum(cancelReasons)
      .describe(
        '`requested`: this delivery was cancelled. `channel_disconnected`, `destination_deleted`: its channel or its ' +
          'destination was removed. `url_changed`: an edit of the URL cancelled its pending deliveries. `channel_moved`: the listener ' +
          'may not read deliveries of the previous workspace. `event_erased`: the data of its person was erased.',
      ),
    at: instantField,
    by: z
      .strictObject({
        type: z.enum(auditActorTypes),
        id: z.string().describe('`usr_…`, `key_…`, `ac_…`, `ptl_…`, or the name of a process.'),
        name: z
          .string()
          .nullable()
          .describe(
            'The e-mail address of the person, or the name of the key or link. Null in lists, for staff, and for limited keys and portals.',
          ),
      })
      .nullable()
      .describe('Whose request it was. Null if the service itself did it, and in a portal for others.'),
  })
  .meta({
    id: 'DeliveryCancellation',
    examples: [
      {
        reason: 'requested',
        at: '2026-01-31T08:05:00.000Z',
        by: { type: 'user', id: 'usr_4Fz0aB1c', name: 'ada@example.com' },
      },
    ],
  });

const circuitAheadSchema = namedObject('CircuitAhead', {
  reason: z
    .enum(circuitReasons)
    .describe('`failures`: the receiver failed repeatedly. `retry_after`: it requested a pause.'),
  openedAt: instantField,
  nextProbeAt: instantField.describe(
    'When one delivery is attempted. The others follow once the receiver accepts one.',
  ),
});

export const summaryFields = {
  deliveryId: idField('delivery', 'The delivery of one event to one destination.'),
  eventId: idField('event', 'The event.'),
  channelId: idField('channel', 'The channel of the event.'),
  channelName: z.string().describe('The display name of the channel.'),
  eventType: z.enum(eventTypes),
  destination: destinationSchema.nullable().describe('Null if the channel had none.'),
  status: z.enum(deliveryStatuses),
  sender: z.string().nullable(),
  platformMessageId: z.string().nullable(),
  receivedAt: instantField.describe('When the event was received.'),
  createdAt: instantField.describe(
    'When the delivery was created: with its event, or later for a replay. Lists are ordered by it.',
  ),
  nextAttemptAt: instantField
    .nullable()
    .describe(
      'The earliest time of the next attempt: by the retry schedule, or by the next probe of an open circuit if that is later.',
    ),
  waitsForCircuit: circuitAheadSchema
    .nullable()
    .describe('The open circuit of the destination that holds the delivery back, or null.'),
  skipReason: z.enum(skipReasons).nullable(),
  attemptCount: z.int().min(0).describe('How many attempts were made.'),
  cancellation: cancellationSchema
    .nullable()
    .describe('Why and by whom it was cancelled. Null unless it is, and if that was before this was recorded.'),
  workflowId: z.string().nullable().describe('The workflow that retries the delivery; null before its third failure.'),
  replayOf: idField('delivery', 'The delivery whose event this one repeats.')
    .nullable()
    .describe('Null unless it is a replay.'),
  replayId: idField('replay', 'The replay that created it.')
    .nullable()
    .describe('Null if no bulk replay created it. A delivery that was replayed individually has only `replayOf`.'),
  traceId: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .nullable()
    .describe('The trace of the event, to quote to support; null if the event is not sampled.'),
  erasedAt: instantField
    .nullable()
    .describe('When the body, the sender and the responses were erased; null if they were not.'),
};

export const deliverySummarySchema = namedObject('DeliverySummary', summaryFields);
export type DeliverySummaryBody = z.output<typeof deliverySummarySchema>;

export const deliverySchema = namedObject('Delivery', {
  ...summaryFields,
  payload: z.string().describe('The stored body, which is signed and sent, as UTF-8.'),
  attempts: z.array(attemptSchema).describe('The latest 100, oldest first.'),
});
export type DeliveryBody = z.output<typeof deliverySchema>;

export const NO_TARGET = 'must be webhook, or the id of a subscription (sub_…) or a listener (lst_…)';

export const deliveryTargetField = z
  .string()
  .regex(/^(?:webhook|(?:sub|lst)_[A-Za-z0-9]{8})$/, NO_TARGET)
  .describe('`webhook`, or the id of a subscription or a listener.');

export const deliveryRetrySchema = namedObject('DeliveryRetry', {
  deliveryId: idField('delivery', 'The delivery.'),
  status: z.enum(['pending', 'retrying']),
});

export const deliveryCancelSchema = namedObject('DeliveryCancel', {
  deliveryId: idField('delivery', 'The delivery.'),
  status: z.literal('cancelled'),
});

export const deliveryReplayInput = namedObject('DeliveryReplayInput', {
  destination: deliveryTargetField
    .optional()
    .describe("`webhook`, or the id of a subscription or a listener; the delivery's destination by default."),
});
