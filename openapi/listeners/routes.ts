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

/**
 * Members too: a listener sends nothing anywhere. What is read of it is signed, now, as the receiver takes it: whoever reads
 * could post it there as ours, and has to be trusted with the webhook as whoever sees its secret.
 */
const managing = byScope('webhook.manage', { within: 'channel' });
const reading = byScope('deliveries.read', { within: 'channel' });

export const listenerRoutes = defineRoutes('Listeners', {
  createListener: {
    route: 'POST /channels/{ch}/listeners',
    summary: "Adds a listener, which keeps the channel's events for whoever reads them",
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
    access: reading,
    query: listenerListQuery,
    answer: listenerListSchema,
  },
  getListener: {
    route: 'GET /channels/{ch}/listeners/{lst}',
    summary: 'Returns one listener',
    access: reading,
    answer: listenerSchema,
  },
  deleteListener: {
    route: 'DELETE /channels/{ch}/listeners/{lst}',
    summary: 'Deletes a listener; deliveries that wait for it are cancelled',
    access: managing,
  },
  readListener: {
    route: 'GET /channels/{ch}/listeners/{lst}/deliveries',
    summary:
      'Returns the deliveries that wait for the listener, in order, signed as a POST of them; waits for one if asked to',
    access: managing,
    query: listenerReadQuery,
    answer: listenerReadSchema,
  },
  acknowledgeDeliveries: {
    route: 'POST /channels/{ch}/listeners/{lst}/acknowledge',
    summary: 'Records what came of deliveries that were read; those that were not to be read again have ended then',
    access: managing,
    body: acknowledgeInput,
    answer: acknowledgeSchema,
    errors: ['DELIVERY_NOT_FOUND'],
  },
});
