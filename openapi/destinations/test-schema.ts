import { z } from 'zod';
import { eventTypes, fitsChannelType } from '../../contract/event-types.ts';
import { attemptSchema } from '../deliveries/attempt-schema.ts';
import { idField, instantField, namedObject, nextCursorField, pageQuery, urlField } from '../definitions/fields.ts';
import type { UnvalidatedInput } from '../definitions/route-definition.ts';

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
export type DestinationTestBody = z.output<typeof destinationTestSchema>;

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

export const testEventSchema = destinationTestSchema
  .extend({
    isTest: z.literal(true).describe('Counts in no statistics and affects no circuit.'),
    createdAt: instantField,
    attempt: attemptSchema.nullable().describe('Null if it was not sent.'),
  })
  .meta({ id: 'TestEvent' });
export type TestEventBody = z.output<typeof testEventSchema>;

export const testEventListQuery = z.strictObject(pageQuery);
export const testEventListSchema = namedObject('TestEventList', {
  testEvents: z.array(testEventSchema),
  nextCursor: nextCursorField,
});
