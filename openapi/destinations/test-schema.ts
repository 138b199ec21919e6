import { z } from 'zod';
import { eventTypes } from '../../contract/event-types.ts';
import { attemptSchema } from '../deliveries/schema.ts';
import { idField, urlField } from '../definitions/fields.ts';

export const destinationTestSchema = z
  .strictObject({
    channelId: idField('channel', 'The channel.'),
    subscriptionId: idField('subscription', 'The subscription, or null for the webhook.').nullable(),
    url: urlField,
    eventType: z.enum(eventTypes),
    deliveryId: idField('delivery', 'The id in the headers. Test events are not stored, so no delivery has this id.'),
    eventId: idField('event', 'The id in the header.'),
    payload: z.string().meta({ description: 'The sample event. Its ids begin with `test`.' }),
    attempt: attemptSchema,
  })
  .meta({ id: 'DestinationTest' });
export type DestinationTestBody = z.output<typeof destinationTestSchema>;
