import { workflowErrors } from '../definitions/error-groups.ts';
import { unverifiedPace } from '../definitions/destination-fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import { destinationTestInput, destinationTestSchema, misfittingTest } from '../destinations/test-schema.ts';
import {
  subscriptionAnswer,
  misfittingEvents,
  subscriptionChange,
  subscriptionInput,
  subscriptionListQuery,
  subscriptionListSchema,
} from './schema.ts';

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
    query: subscriptionListQuery,
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
