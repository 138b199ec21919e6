import { z } from 'zod';
import { outcomeOfStatus } from '../../contract/deliveries/outcome-of-status.ts';
import { eventTypes, fitsChannelType } from '../../contract/event-types.ts';
import {
  LISTENER_KEPT_DAYS,
  MAX_ACKNOWLEDGED_BODY_BYTES,
  MAX_LISTENER_ATTEMPTS,
  MAX_LISTENER_PAGE,
  MAX_LISTENER_WAIT_SECONDS,
} from '../../contract/listeners/bounds.ts';
import type { GivenInput } from '../definitions/route-definition.ts';
import { besideOthers } from '../definitions/beside-others.ts';
import { idField, instantField, nextCursorField, pageQuery, noControlCharacters } from '../definitions/fields.ts';

const lineOfText = (maxLength: number) =>
  z.string().min(1).max(maxLength).regex(noControlCharacters, 'must have no control characters');

export const listenerInput = z
  .strictObject({
    label: lineOfText(200).nullable().optional().meta({ description: 'For people, such as whose computer it is.' }),
    eventTypes: z
      .array(z.enum(eventTypes))
      .min(1)
      .max(eventTypes.length)
      .nullable()
      .optional()
      .meta({ uniqueItems: true, description: "All of the channel's events where left out." }),
  })
  .meta({ id: 'ListenerInput' });

/** Event types that a channel of this type never has. */
export function misfittingEventTypes({ body, channelType }: GivenInput): string[] {
  const { eventTypes: given } = body;
  if (channelType === undefined || !Array.isArray(given)) return [];
  const known = eventTypes.filter((eventType) => given.includes(eventType));
  const misfits = known.filter((eventType) => !fitsChannelType(eventType, channelType));
  return misfits.length > 0 ? [`body.eventTypes: a ${channelType} channel has no ${misfits.join(', ')}`] : [];
}

export const listenerSchema = z
  .strictObject({
    listenerId: idField('listener', 'The listener.'),
    channelId: idField('channel', 'The channel whose events it gets.'),
    label: z.string().nullable(),
    eventTypes: z.array(z.enum(eventTypes)).nullable().meta({ description: "Null: all of the channel's events." }),
    createdAt: instantField,
    lastReadAt: instantField.nullable().meta({ description: 'When it was last read, to the minute.' }),
    expiresAt: instantField.meta({
      description: `When it is deleted with what waits for it, unless it is read before: ${LISTENER_KEPT_DAYS} days after the last read.`,
    }),
  })
  .meta({ id: 'Listener' });
export type ListenerBody = z.output<typeof listenerSchema>;

export const listenerListQuery = z.strictObject(pageQuery);
export const listenerListSchema = z
  .strictObject({ listeners: z.array(listenerSchema), nextCursor: nextCursorField })
  .meta({ id: 'ListenerList' });

/** Behind which transaction and which delivery of it a reader goes on. */
const listenerCursorField = z.string().regex(/^\d{1,19}_wd_[A-Za-z0-9]{8}$/);

export const listenerReadQuery = z.strictObject({
  cursor: listenerCursorField.optional().meta({
    description:
      '`nextCursor` of an earlier read: goes on behind what that one answered with, whether it is acknowledged yet or not.',
  }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_LISTENER_PAGE)
    .optional()
    .meta({ description: 'Deliveries in an answer; 50 unless given. Fewer come where they are large.' }),
  waitSeconds: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_LISTENER_WAIT_SECONDS)
    .optional()
    .meta({ description: 'How long to wait for a delivery where none is there; 0 unless given.' }),
});

export const listenerDeliverySchema = z
  .strictObject({
    deliveryId: idField('delivery', 'The delivery.'),
    eventId: idField('event', 'The event.'),
    eventType: z.enum(eventTypes),
    receivedAt: instantField,
    sender: z.string().nullable(),
    attempt: z.int().min(1).meta({ description: 'The number in `x-service-attempt`, to be acknowledged with.' }),
    headers: z.record(z.string(), z.string()).meta({
      description: 'All headers that a POST of it carries, names in lower case, signed anew for each read.',
    }),
    payload: z.string().meta({ description: 'The stored bytes, over which the signatures are, as UTF-8.' }),
  })
  .meta({ id: 'ListenerDelivery' });
export type ListenerDeliveryBody = z.output<typeof listenerDeliverySchema>;

export const listenerReadSchema = z
  .strictObject({
    deliveries: z.array(listenerDeliverySchema),
    nextCursor: z.string().nullable().meta({
      description:
        'Behind the last one of this answer, or where this read began when there is none; null where nothing was ever read.',
    }),
  })
  .meta({ id: 'ListenerRead' });

const acknowledgedSchema = z
  .strictObject({
    deliveryId: idField('delivery', 'A delivery to this listener.'),
    attempt: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: '`attempt` as it was read; tells a repeat of this request from another attempt.' }),
    outcome: z.enum(['accepted', 'rejected', 'no_response']),
    status: z.int().min(100).max(599).nullable().optional().meta({ description: 'HTTP status of the local answer.' }),
    durationMs: z.int().min(0).max(3_600_000).optional().meta({ description: 'How long the local receiver took.' }),
    responseBody: z
      .string()
      .max(MAX_ACKNOWLEDGED_BODY_BYTES)
      .nullable()
      .optional()
      .meta({ description: 'What it answered; the first 16 KiB are kept.' }),
    error: lineOfText(200).nullable().optional().meta({ description: 'Why no answer came.' }),
    retry: z
      .boolean()
      .optional()
      .meta({
        description: `True leaves it waiting, behind all others, to be read again; it takes \`attempt\`. After ${MAX_LISTENER_ATTEMPTS} attempts it ends all the same.`,
      }),
  })
  .refine(
    ({ outcome, status }) => status == null || (outcome !== 'no_response' && outcome === outcomeOfStatus(status)),
    {
      path: ['outcome'],
      message: 'does not fit the status: 2xx is accepted, any other is rejected',
      ...besideOthers,
    },
  )
  .refine(({ outcome, retry }) => !retry || outcome !== 'accepted', {
    path: ['retry'],
    message: 'goes with rejected or no_response',
    ...besideOthers,
  })
  .refine(({ attempt, retry }) => !retry || attempt !== undefined, {
    path: ['attempt'],
    message: 'goes with retry, so that a repeat of the request is none of the attempt',
    ...besideOthers,
  })
  .meta({ id: 'AcknowledgedDelivery' });
export type AcknowledgedInput = z.output<typeof acknowledgedSchema>;

export const acknowledgeInput = z
  .strictObject({
    deliveries: z
      .array(acknowledgedSchema)
      .min(1)
      .max(MAX_LISTENER_PAGE)
      .refine((all) => new Set(all.map(({ deliveryId }) => deliveryId)).size === all.length, {
        message: 'names a delivery twice',
      }),
  })
  .meta({ id: 'AcknowledgeInput' });

export const acknowledgeSchema = z
  .strictObject({
    acknowledged: z.int().min(0).meta({
      description:
        'How many attempts this request has recorded; a repeat, and what had ended otherwise, count as none.',
    }),
  })
  .meta({ id: 'Acknowledged' });
