import { z } from 'zod';
import { circuitReasons } from '../../contract/destinations/circuit.ts';
import { cancelReasons, deliveryStatuses, destinationTypes, skipReasons } from '../../contract/deliveries/status.ts';
import { eventTypes } from '../../contract/event-types.ts';
import { auditActorTypes } from '../../contract/identity/actor-types.ts';
import { idField, instantField } from '../definitions/fields.ts';
import { attemptSchema } from './attempt-schema.ts';

const destinationSchema = z
  .strictObject({
    type: z.enum(destinationTypes),
    url: z
      .string()
      .nullable()
      .meta({
        description:
          'The URL that the destination has now; each attempt has the one it was sent to. Null for a listener, and for the ' +
          'webhook in a portal.',
      }),
    label: z.string().nullable(),
    subscriptionId: idField('subscription', 'The subscription, or null.').nullable(),
    listenerId: idField('listener', 'The listener, or null. A listener has no URL.').nullable(),
  })
  .meta({ id: 'DeliveryDestination' });

const cancellationSchema = z
  .strictObject({
    reason: z.enum(cancelReasons).meta({
      description:
        '`requested`: this delivery was cancelled. `channel_disconnected`, `destination_deleted`: its channel or its ' +
        'destination was removed. `url_changed`: an edit of the URL cancelled its pending deliveries. `channel_moved`: the listener ' +
        'may not read deliveries of the previous workspace. `event_erased`: the data of its person was erased.',
    }),
    at: instantField,
    by: z
      .strictObject({
        type: z.enum(auditActorTypes),
        id: z.string().meta({ description: '`usr_…`, `key_…`, `ac_…`, `ptl_…`, or the name of a process.' }),
        name: z.string().nullable().meta({
          description:
            'The e-mail address of the person, or the name of the key or link. Null in lists, for staff, and for limited keys and portals.',
        }),
      })
      .nullable()
      .meta({ description: 'Whose request it was. Null if the service itself did it, and in a portal for others.' }),
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

export const summaryFields = {
  deliveryId: idField('delivery', 'The delivery of one event to one destination.'),
  eventId: idField('event', 'The event.'),
  channelId: idField('channel', 'The channel of the event.'),
  channelName: z.string().meta({ description: 'The display name of the channel.' }),
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
  attemptCount: z.int().min(0).meta({ description: 'How many attempts were made.' }),
  cancellation: cancellationSchema.nullable().meta({
    description: 'Why and by whom it was cancelled. Null unless it is, and if that was before this was recorded.',
  }),
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
    attempts: z.array(attemptSchema).meta({ description: 'The latest 100, oldest first.' }),
  })
  .meta({ id: 'Delivery' });
export type DeliveryBody = z.output<typeof deliverySchema>;

export const NO_TARGET = 'must be webhook, or the id of a subscription (sub_…) or a listener (lst_…)';

export const deliveryTargetField = z
  .string()
  .regex(/^(?:webhook|(?:sub|lst)_[A-Za-z0-9]{8})$/, NO_TARGET)
  .meta({ description: '`webhook`, or the id of a subscription or a listener.' });

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
