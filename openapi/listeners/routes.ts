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
import { byScope, type UnvalidatedInput } from '../definitions/route-definition.ts';
import {
  evenIfFieldsFail,
  idField,
  instantField,
  listQuery,
  namedObject,
  namedPage,
  NO_CURSOR,
  noControlCharacters,
  visibleLine,
} from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';

const lineOfText = (maxLength: number) =>
  z.string().min(1).max(maxLength).regex(noControlCharacters, 'must have no control characters');

const listenerInput = namedObject('ListenerInput', {
  label: visibleLine(200).nullable().optional().describe('A name for people, such as the owner of the computer.'),
  eventTypes: z
    .array(z.enum(eventTypes))
    .min(1)
    .max(eventTypes.length)
    .nullable()
    .optional()
    .meta({ uniqueItems: true, description: 'All events of the channel by default.' }),
});

function misfittingEventTypes({ body, channelType }: UnvalidatedInput): string[] {
  const { eventTypes: given } = body;
  if (channelType === undefined || !Array.isArray(given)) return [];
  const known = eventTypes.filter((eventType) => given.includes(eventType));
  const misfits = known.filter((eventType) => !fitsChannelType(eventType, channelType));
  return misfits.length > 0 ? [`body.eventTypes: a ${channelType} channel never produces ${misfits.join(', ')}`] : [];
}

const listenerSchema = namedObject('Listener', {
  listenerId: idField('listener', 'The listener.'),
  channelId: idField('channel', 'The channel of its events.'),
  label: z.string().nullable(),
  eventTypes: z.array(z.enum(eventTypes)).nullable().describe('Null for all events of the channel.'),
  createdAt: instantField,
  lastReadAt: instantField.nullable().describe('The last read, accurate to the minute.'),
  expiresAt: instantField.describe(
    `When the listener and its waiting deliveries are deleted: ${LISTENER_KEPT_DAYS} days after the last read.`,
  ),
});
const listenerListSchema = namedPage('ListenerList', { listeners: listenerSchema });

const listenerCursorField = z.string().regex(/^\d{1,19}_wd_[A-Za-z0-9]{8}$/, NO_CURSOR);

const listenerReadQuery = z.strictObject({
  cursor: listenerCursorField
    .optional()
    .describe('`nextCursor` of an earlier read. Continues after its deliveries, even if they are not acknowledged.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_LISTENER_PAGE)
    .optional()
    .describe('Maximum number of deliveries; 50 by default. Fewer are returned if they are large.'),
  waitSeconds: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_LISTENER_WAIT_SECONDS)
    .optional()
    .describe('How long to wait for a delivery if none is waiting; 0 by default.'),
});

const listenerDeliverySchema = namedObject('ListenerDelivery', {
  deliveryId: idField('delivery', 'The delivery.'),
  eventId: idField('event', 'The event.'),
  eventType: z.enum(eventTypes),
  receivedAt: instantField,
  sender: z.string().nullable(),
  attempt: z.int().min(1).describe('The number in `x-service-attempt`. Pass it to the acknowledgement.'),
  headers: z
    .record(z.string(), z.string())
    .describe('All headers of a POST request, with names in lower case. Each read has new signatures.'),
  payload: z.string().describe('The stored and signed body, as UTF-8.'),
});
const listenerReadSchema = namedObject('ListenerRead', {
  deliveries: z.array(listenerDeliverySchema),
  nextCursor: listenerCursorField
    .nullable()
    .describe(
      'Position after the last delivery, or the position of this read if it returned none. Null if nothing was ever read.',
    ),
});

const acknowledgedSchema = z
  .strictObject({
    deliveryId: idField('delivery', 'A delivery to this listener.'),
    attempt: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('`attempt` of the read. It distinguishes a repeated request from another attempt.'),
    outcome: z.enum(['accepted', 'rejected', 'no_response']),
    status: z.int().min(100).max(599).nullable().optional().describe('HTTP status of the local response.'),
    durationMs: z.int().min(0).max(3_600_000).optional().describe('Duration of the local request.'),
    responseBody: z
      .string()
      .max(MAX_ACKNOWLEDGED_BODY_BYTES)
      .nullable()
      .optional()
      .describe('The local response body. The first 16 KiB are stored.'),
    error: lineOfText(200).nullable().optional().describe('Why there was no response.'),
    retry: z
      .boolean()
      .optional()
      .describe(
        `Whether to offer the delivery again, after all others. Requires \`attempt\`. After ${MAX_LISTENER_ATTEMPTS} attempts the delivery ends anyway.`,
      ),
  })
  .refine(
    ({ outcome, status }) => status == null || (outcome !== 'no_response' && outcome === outcomeOfStatus(status)),
    {
      path: ['outcome'],
      message: 'contradicts the status: 2xx is accepted, any other is rejected',
      ...evenIfFieldsFail,
    },
  )
  .refine(({ outcome, retry }) => !retry || outcome !== 'accepted', {
    path: ['retry'],
    message: 'allowed only with rejected or no_response',
    ...evenIfFieldsFail,
  })
  .refine(({ attempt, retry }) => !retry || attempt !== undefined, {
    path: ['attempt'],
    message: 'required with retry, to distinguish a repeated request from another attempt',
    ...evenIfFieldsFail,
  })
  .meta({ id: 'AcknowledgedDelivery' });
export type AcknowledgedInput = z.output<typeof acknowledgedSchema>;

const acknowledgeInput = namedObject('AcknowledgeInput', {
  deliveries: z
    .array(acknowledgedSchema)
    .min(1)
    .max(MAX_LISTENER_PAGE)
    .refine((all) => new Set(all.map(({ deliveryId }) => deliveryId)).size === all.length, {
      message: 'contains a delivery twice',
    }),
});

const acknowledgeSchema = namedObject('Acknowledged', {
  acknowledged: z
    .int()
    .min(0)
    .describe(
      'Number of attempts that this request recorded. Repeated ones, and those of deliveries that had ended, do not count.',
    ),
});

/** Reading needs `webhook.manage`, because a reader could post the signed result to the receiver. */
const managing = byScope('webhook.manage', { within: 'channel' });
const reading = byScope('deliveries.read', { within: 'channel' });

export const listenerRoutes = defineRoutes('Listeners', {
  createListener: {
    route: 'POST /channels/{ch}/listeners',
    summary: "Creates a listener, which stores the channel's events until you read them",
    remarks: 'A listener is deleted after seven days without a read.',
    access: managing,
    body: listenerInput,
    problems: misfittingEventTypes,
    idempotent: true,
    status: 201,
    answer: listenerSchema,
  },
  listListeners: {
    route: 'GET /channels/{ch}/listeners',
    summary: "Lists the channel's listeners, newest first",
    remarks: 'With the number of deliveries that wait.',
    access: reading,
    query: listQuery,
    answer: listenerListSchema,
  },
  getListener: {
    route: 'GET /channels/{ch}/listeners/{lst}',
    summary: 'Returns a listener',
    remarks: 'With the number of deliveries that wait.',
    access: reading,
    answer: listenerSchema,
  },
  deleteListener: {
    route: 'DELETE /channels/{ch}/listeners/{lst}',
    summary: 'Deletes a listener',
    description: 'Its waiting deliveries are cancelled.',
    access: managing,
  },
  readListener: {
    route: 'GET /channels/{ch}/listeners/{lst}/deliveries',
    summary: 'Reads the waiting deliveries of a listener, in order',
    description: 'They are signed like POST requests. With `waitSeconds`, the request waits for a delivery.',
    access: managing,
    query: listenerReadQuery,
    answer: listenerReadSchema,
  },
  acknowledgeDeliveries: {
    route: 'POST /channels/{ch}/listeners/{lst}/acknowledge',
    summary: 'Records the outcomes of deliveries that were read',
    description: 'A delivery ends unless `retry` is true.',
    access: managing,
    body: acknowledgeInput,
    answer: acknowledgeSchema,
    errors: ['DELIVERY_NOT_FOUND'],
  },
});
