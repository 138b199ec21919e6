import { z } from 'zod';
import { eventTypes } from '../../contract/event-types.ts';
import { attemptSchema } from '../deliveries/schema.ts';
import { idField, urlField } from '../definitions/fields.ts';

export const destinationTestSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    subscriptionId: idField('subscription', 'The subscription, where it is one.').nullable(),
    url: urlField,
    eventType: z.enum(eventTypes),
    deliveryId: idField('delivery', 'As the headers said it. There is no delivery of this id: a test is not logged.'),
    eventId: idField('event', 'As the header said it.'),
    payload: z.string().meta({ description: 'The sample that was sent; its ids begin with `test`.' }),
    attempt: attemptSchema,
  })
  .meta({ id: 'DestinationTest' });
export type DestinationTestBody = z.output<typeof destinationTestSchema>;
