import { z } from 'zod';
import { channelEventTypes, fitsChannelType } from '../../contract/event-types.ts';
import { byScope, type UnvalidatedInput } from '../definitions/route-definition.ts';
import {
  evenIfFieldsFail,
  idField,
  instantField,
  listQuery,
  namedObject,
  namedPage,
  urlField,
  visibleLine,
} from '../definitions/fields.ts';
import { pendingField, unverifiedPace } from '../definitions/destination-fields.ts';
import { workflowErrors } from '../definitions/error-groups.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { destinationTestInput, destinationTestSchema, misfittingTest } from '../destinations/test-routes.ts';

const channelEventType = z.enum(channelEventTypes).meta({ id: 'ChannelEventType' });

const eventsField = z.array(channelEventType).min(1).max(channelEventTypes.length).meta({ uniqueItems: true });
const labelField = visibleLine(200).nullable();

const subscriptionInput = namedObject('EventSubscriptionInput', {
  url: urlField,
  events: eventsField,
  label: labelField.optional(),
  enabled: z.boolean().optional().describe('True by default.'),
});

const subscriptionChange = z
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
    id: 'EventSubscriptionChange',
    minProperties: 1,
    dependentRequired: { pending: ['url'] },
    not: { required: ['enabled', 'pending'], properties: { enabled: { const: false }, pending: { const: 'keep' } } },
  });
export type SubscriptionChangeInput = z.output<typeof subscriptionChange>;

function misfittingEvents({ body, channelType }: UnvalidatedInput): string[] {
  const { events } = body;
  if (channelType === undefined || !Array.isArray(events)) return [];
  const known = channelEventTypes.filter((eventType) => events.includes(eventType));
  const misfits = known.filter((eventType) => !fitsChannelType(eventType, channelType));
  return misfits.length > 0 ? [`body.events: a ${channelType} channel never produces ${misfits.join(', ')}`] : [];
}

const subscriptionSchema = namedObject('EventSubscription', {
  subscriptionId: idField('subscription', 'The subscription.'),
  url: urlField,
  events: z.array(channelEventType),
  label: z.string().nullable(),
  enabled: z.boolean(),
  createdAt: instantField,
  lastDeliveredAt: instantField.nullable(),
  lastFailureAt: instantField.nullable(),
});
const subscriptionAnswer = namedObject('SubscriptionAnswer', { subscription: subscriptionSchema });

const subscriptionListSchema = namedPage('EventSubscriptionList', { subscriptions: subscriptionSchema });

const reading = byScope('channel.read', { within: 'channel' });
const managing = byScope('webhook.manage', { within: 'channel', role: 'admin' });

export const subscriptionRoutes = defineRoutes('Event subscriptions', {
  createSubscription: {
    route: 'POST /channels/{ch}/subscriptions',
    summary: 'Creates an event subscription, which sends selected events to a URL',
    remarks: 'Deliveries are signed with the secret of the channel. The URL is not probed.',
    access: { ...managing, portal: 'subscriptions.manage' },
    share: 'interactive',
    body: subscriptionInput,
    problems: misfittingEvents,
    status: 201,
    answer: subscriptionAnswer,
    errors: ['URL_NOT_ALLOWED', ...workflowErrors],
  },
  getSubscription: {
    route: 'GET /channels/{ch}/subscriptions/{sub}',
    summary: 'Returns an event subscription',
    remarks: 'With the types of events that it receives.',
    access: { ...reading, portal: 'subscriptions.read' },
    answer: subscriptionAnswer,
  },
  listSubscriptions: {
    route: 'GET /channels/{ch}/subscriptions',
    summary: "Lists the channel's event subscriptions, newest first",
    remarks: 'Includes disabled subscriptions.',
    access: { ...reading, portal: 'subscriptions.read' },
    query: listQuery,
    answer: subscriptionListSchema,
  },
  editSubscription: {
    route: 'PATCH /channels/{ch}/subscriptions/{sub}',
    summary: 'Updates an event subscription',
    description: 'Of two concurrent updates, the later one wins.',
    access: { ...managing, portal: 'subscriptions.manage' },
    share: 'interactive',
    body: subscriptionChange,
    problems: misfittingEvents,
    answer: subscriptionAnswer,
    errors: ['SUBSCRIPTION_CHANGED', 'URL_NOT_ALLOWED', ...workflowErrors],
  },
  deleteSubscription: {
    route: 'DELETE /channels/{ch}/subscriptions/{sub}',
    summary: 'Deletes an event subscription',
    description: 'Its waiting deliveries are cancelled.',
    access: { ...managing, portal: 'subscriptions.manage' },
  },
  testSubscription: {
    route: 'POST /channels/{ch}/subscriptions/{sub}/test',
    summary: 'Sends a test event to an event subscription and returns the attempt',
    remarks: `The test event is signed like a real one. It is not retried and no delivery. ${unverifiedPace}`,
    access: { ...managing, portal: 'subscriptions.manage' },
    share: 'interactive',
    body: destinationTestInput,
    problems: misfittingTest,
    answer: destinationTestSchema,
    errors: workflowErrors,
  },
});
