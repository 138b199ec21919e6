import { z } from 'zod';
import { channelEventTypes, fitsChannelType } from '../../contract/event-types.ts';
import type { UnvalidatedInput } from '../definitions/route-definition.ts';
import { evenIfFieldsFail } from '../definitions/even-if-fields-fail.ts';
import { pendingField } from '../definitions/destination-fields.ts';
import {
  idField,
  instantField,
  namedObject,
  nextCursorField,
  pageQuery,
  urlField,
  visibleLine,
} from '../definitions/fields.ts';

const channelEventType = z.enum(channelEventTypes).meta({ id: 'ChannelEventType' });

const eventsField = z.array(channelEventType).min(1).max(channelEventTypes.length).meta({ uniqueItems: true });
const labelField = visibleLine(200).nullable();

export const subscriptionInput = namedObject('EventSubscriptionInput', {
  url: urlField,
  events: eventsField,
  label: labelField.optional(),
  enabled: z.boolean().optional().describe('True by default.'),
});

export const subscriptionChange = z
  .strictObject({
    url: urlField.optional(),
    events: eventsField.optional(),
    label: labelField.optional(),
    enabled: z.boolean().optional().describe('False skips waiting deliveries. True applies to new events only.'),
    pending: pendingField.optional(),
  })
  .refine(({ url, events, label, enabled }) => [url, events, label, enabled].some((field) => field !== undefined), {
    message: 'requires at least one field to change',
    ...evenIfFieldsFail,
  })
  .refine(({ url, pending }) => pending === undefined || url !== undefined, {
    path: ['pending'],
    message: 'allowed only with a url',
    ...evenIfFieldsFail,
  })
  .refine(({ enabled, pending }) => enabled !== false || pending !== 'keep', {
    path: ['pending'],
    message: 'cannot be keep if the subscription is disabled, because waiting deliveries are skipped',
    ...evenIfFieldsFail,
  })
  .meta({
    ...{ id: 'EventSubscriptionChange', minProperties: 1, dependentRequired: { pending: ['url'] } },
    not: { required: ['enabled', 'pending'], properties: { enabled: { const: false }, pending: { const: 'keep' } } },
  });
export type SubscriptionChangeInput = z.output<typeof subscriptionChange>;

export function misfittingEvents({ body, channelType }: UnvalidatedInput): string[] {
  const { events } = body;
  if (channelType === undefined || !Array.isArray(events)) return [];
  const known = channelEventTypes.filter((eventType) => events.includes(eventType));
  const misfits = known.filter((eventType) => !fitsChannelType(eventType, channelType));
  return misfits.length > 0 ? [`body.events: a ${channelType} channel never produces ${misfits.join(', ')}`] : [];
}

export const subscriptionSchema = namedObject('EventSubscription', {
  subscriptionId: idField('subscription', 'The subscription.'),
  url: urlField,
  events: z.array(channelEventType),
  label: z.string().nullable(),
  enabled: z.boolean(),
  createdAt: instantField,
  lastDeliveredAt: instantField.nullable(),
  lastFailureAt: instantField.nullable(),
});
export type SubscriptionBody = z.output<typeof subscriptionSchema>;

export const subscriptionAnswer = namedObject('SubscriptionAnswer', { subscription: subscriptionSchema });

export const subscriptionListQuery = z.strictObject(pageQuery);
export const subscriptionListSchema = namedObject('EventSubscriptionList', {
  subscriptions: z.array(subscriptionSchema),
  nextCursor: nextCursorField,
});
