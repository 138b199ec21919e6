import { z } from 'zod';
import { eventTypes, fitsChannelType } from '../../contract/event-types.ts';
import { attemptSchema, sentRequestListSchema } from '../deliveries/attempt-schema.ts';
import { idField, instantField, listQuery, namedObject, namedPage, urlField } from '../definitions/fields.ts';
import { byScope, type UnvalidatedInput } from '../definitions/route-definition.ts';
import { defineRoutes } from '../definitions/define-routes.ts';

export const destinationTestSchema = namedObject('DestinationTest', {
  channelId: idField('channel', 'The channel.'),
  subscriptionId: idField('subscription', 'The subscription, or null for the webhook.').nullable(),
  url: urlField,
  eventType: z.enum(eventTypes),
  deliveryId: idField('delivery', 'The id in the headers. `GET /channels/{ch}/test-events/{wd}` returns the record.'),
  eventId: idField('event', 'The id in the header.'),
  payload: z.string().describe('The sample event. Its ids begin with `test`.'),
  attempt: attemptSchema,
});
export const destinationTestInput = namedObject('DestinationTestInput', {
  eventType: z
    .enum(eventTypes)
    .optional()
    .describe(
      "Any type of the channel. By default a message, or the subscription's first type. A subscription is tested " +
        'with types that it does not select, too.',
    ),
});

export function misfittingTest({ body, channelType }: UnvalidatedInput): string[] {
  const eventType = eventTypes.find((one) => one === body['eventType']);
  if (channelType === undefined || eventType === undefined || fitsChannelType(eventType, channelType)) return [];
  return [`body.eventType: a ${channelType} channel never produces ${eventType}`];
}

const testEventSchema = destinationTestSchema
  .extend({
    isTest: z.literal(true).describe('Counts in no statistics and affects no circuit.'),
    createdAt: instantField,
    attempt: attemptSchema.nullable().describe('Null if it was not sent.'),
  })
  .meta({ id: 'TestEvent' });
const testEventListSchema = namedPage('TestEventList', { testEvents: testEventSchema });

const reading = byScope('deliveries.read', { within: 'channel' });

export const testEventRoutes = defineRoutes('Webhook destination', {
  listTestEvents: {
    route: 'GET /channels/{ch}/test-events',
    summary: "Lists the test events of the channel's destinations, newest first",
    remarks: 'Test events are stored apart from deliveries.',
    access: reading,
    query: listQuery,
    answer: testEventListSchema,
  },
  getTestEvent: {
    route: 'GET /channels/{ch}/test-events/{wd}',
    summary: 'Returns a test event with its payload and attempt',
    remarks: 'With the response of the receiver.',
    access: reading,
    answer: testEventSchema,
  },
  listTestEventRequests: {
    route: 'GET /channels/{ch}/test-events/{wd}/requests',
    summary: 'Returns what a test event sent',
    remarks: 'With the headers and signatures, so that you can check the request again.',
    access: reading,
    answer: sentRequestListSchema,
  },
});
