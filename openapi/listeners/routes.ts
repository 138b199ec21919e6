import { defineRoutes } from '../definitions/define-routes.ts';
import {
  acknowledgeInput,
  acknowledgeSchema,
  listenerInput,
  misfittingEventTypes,
  listenerListQuery,
  listenerListSchema,
  listenerReadQuery,
  listenerReadSchema,
  listenerSchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

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
    query: listenerListQuery,
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
