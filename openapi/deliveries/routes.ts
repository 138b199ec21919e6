import {
  deliveryCancelSchema,
  deliveryListQuery,
  deliveryListSchema,
  deliveryReplayInput,
  deliveryRetrySchema,
  deliverySchema,
  deliveryStreamQuery,
  deliverySummarySchema,
} from './schema.ts';
import { byScope, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Deliveries';
const deliveryParameter = { kind: 'delivery', notFound: 'DELIVERY_NOT_FOUND' } as const;
const reading = byScope('deliveries.read', { within: 'header' });
const steering = byScope('deliveries.replay', { within: 'header' });

export const deliveryRoutes = {
  listDeliveries: {
    operationId: 'listDeliveries',
    summary: 'Lists deliveries, newest first, without payload and attempts',
    tag,
    method: 'get',
    path: '/deliveries',
    parameters: {},
    access: reading,
    query: deliveryListQuery,
    success: { status: 200, body: deliveryListSchema },
    errors: ['CHANNEL_NOT_FOUND'],
  },
  streamDeliveries: {
    operationId: 'streamDeliveries',
    summary:
      'Streams changes of deliveries of a channel or a workspace as server-sent events, and goes on after Last-Event-ID',
    tag,
    method: 'get',
    path: '/deliveries/stream',
    parameters: {},
    access: reading,
    query: deliveryStreamQuery,
    success: { status: 200, body: null },
    eventStream: deliverySummarySchema,
    errors: ['CHANNEL_NOT_FOUND'],
  },
  getDelivery: {
    operationId: 'getDelivery',
    summary: 'Returns one delivery with its payload and attempts',
    tag,
    method: 'get',
    path: '/deliveries/{wd}',
    parameters: { wd: deliveryParameter },
    access: reading,
    success: { status: 200, body: deliverySchema },
    errors: ['BODY_UNREADABLE'],
  },
  retryDelivery: {
    operationId: 'retryDelivery',
    summary: 'Sends a waiting delivery now, or begins a new schedule for one that has ended',
    tag,
    method: 'post',
    path: '/deliveries/{wd}/retry',
    parameters: { wd: deliveryParameter },
    access: steering,
    success: { status: 202, body: deliveryRetrySchema },
    errors: [
      'DELIVERY_ALREADY_DELIVERED',
      'DELIVERY_ENDED',
      'CHANNEL_DISCONNECTED',
      'CHANNEL_FORWARDING_DISABLED',
      'WORKFLOW_UNAVAILABLE',
      'PLATFORM_OUTCOME_UNKNOWN',
    ],
  },
  cancelDelivery: {
    operationId: 'cancelDelivery',
    summary: 'Cancels a delivery that waits; one that has ended is refused',
    tag,
    method: 'post',
    path: '/deliveries/{wd}/cancel',
    parameters: { wd: deliveryParameter },
    access: steering,
    success: { status: 200, body: deliveryCancelSchema },
    errors: ['DELIVERY_ENDED'],
  },
  replayDelivery: {
    operationId: 'replayDelivery',
    summary: 'Sends the event again as a new delivery, outside the order of its conversation',
    tag,
    method: 'post',
    path: '/deliveries/{wd}/replay',
    parameters: { wd: deliveryParameter },
    access: steering,
    body: deliveryReplayInput,
    idempotent: true,
    success: { status: 202, body: deliverySummarySchema },
    errors: [
      'SUBSCRIPTION_NOT_FOUND',
      'LISTENER_NOT_FOUND',
      'DELIVERY_ENDED',
      'CHANNEL_DISCONNECTED',
      'CHANNEL_FORWARDING_DISABLED',
    ],
  },
} as const satisfies Record<string, RouteDefinition>;
