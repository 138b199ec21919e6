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
import { byScope, channelParameter, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Listeners';
/**
 * Members too: a listener sends nothing anywhere. What is read of it is signed, now, as the receiver takes it: whoever reads
 * could post it there as ours, and has to be trusted with the webhook as whoever sees its secret.
 */
const managing = byScope('webhook.manage', { within: 'channel' });
const reading = byScope('deliveries.read', { within: 'channel' });
const lst = { kind: 'listener', notFound: 'LISTENER_NOT_FOUND' } as const;

export const listenerRoutes = {
  createListener: {
    operationId: 'createListener',
    summary: "Adds a listener, which keeps the channel's events for whoever reads them",
    tag,
    method: 'post',
    path: '/channels/{ch}/listeners',
    parameters: { ch: channelParameter },
    access: managing,
    body: listenerInput,
    problems: misfittingEventTypes,
    idempotent: true,
    success: { status: 201, body: listenerSchema },
    errors: [],
  },
  listListeners: {
    operationId: 'listListeners',
    summary: "Lists the channel's listeners, newest first",
    tag,
    method: 'get',
    path: '/channels/{ch}/listeners',
    parameters: { ch: channelParameter },
    access: reading,
    query: listenerListQuery,
    success: { status: 200, body: listenerListSchema },
    errors: [],
  },
  getListener: {
    operationId: 'getListener',
    summary: 'Returns one listener',
    tag,
    method: 'get',
    path: '/channels/{ch}/listeners/{lst}',
    parameters: { ch: channelParameter, lst },
    access: reading,
    success: { status: 200, body: listenerSchema },
    errors: [],
  },
  deleteListener: {
    operationId: 'deleteListener',
    summary: 'Deletes a listener; deliveries that wait for it are cancelled',
    tag,
    method: 'delete',
    path: '/channels/{ch}/listeners/{lst}',
    parameters: { ch: channelParameter, lst },
    access: managing,
    success: { status: 204, body: null },
    errors: [],
  },
  readListener: {
    operationId: 'readListener',
    summary:
      'Returns the deliveries that wait for the listener, in order, signed as a POST of them; waits for one if asked to',
    tag,
    method: 'get',
    path: '/channels/{ch}/listeners/{lst}/deliveries',
    parameters: { ch: channelParameter, lst },
    access: managing,
    query: listenerReadQuery,
    success: { status: 200, body: listenerReadSchema },
    errors: [],
  },
  acknowledgeDeliveries: {
    operationId: 'acknowledgeDeliveries',
    summary: 'Records what came of deliveries that were read; those that were not to be read again have ended then',
    tag,
    method: 'post',
    path: '/channels/{ch}/listeners/{lst}/acknowledge',
    parameters: { ch: channelParameter, lst },
    access: managing,
    body: acknowledgeInput,
    success: { status: 200, body: acknowledgeSchema },
    errors: ['DELIVERY_NOT_FOUND'],
  },
} as const satisfies Record<string, RouteDefinition>;
