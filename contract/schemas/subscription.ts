import { z } from 'zod';
import { channelEventTypes } from '../event-types.ts';
import { idField, instantField, urlField } from './fields.ts';

const channelEventType = z.enum(channelEventTypes).meta({ id: 'ChannelEventType' });

export const subscriptionInput = z
  .strictObject({
    url: urlField,
    events: z.array(channelEventType).min(1).max(channelEventTypes.length).meta({ uniqueItems: true }),
    label: z
      .string()
      .min(1)
      .max(200)
      .regex(/^\P{Cc}*$/u)
      .nullable()
      .optional(),
    enabled: z.boolean().optional().meta({ description: 'True unless given.' }),
  })
  .meta({ id: 'EventSubscriptionInput' });
export type SubscriptionInput = z.output<typeof subscriptionInput>;

export const subscriptionSchema = z
  .strictObject({
    subscriptionId: idField('subscription', 'The subscription.'),
    url: urlField,
    events: z.array(channelEventType),
    label: z.string().nullable(),
    enabled: z.boolean(),
    createdAt: instantField,
    lastDeliveredAt: instantField.nullable(),
    lastFailureAt: instantField.nullable(),
  })
  .meta({ id: 'EventSubscription' });
export type SubscriptionBody = z.output<typeof subscriptionSchema>;

export const subscriptionAnswer = z
  .strictObject({ subscription: subscriptionSchema })
  .meta({ id: 'SubscriptionAnswer' });

/** A channel has at most this many: each event is stored once more for every one that lists it. */
export const MAX_SUBSCRIPTIONS = 20;
