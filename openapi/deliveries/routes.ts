import { z } from 'zod';
import { workflowErrors } from '../definitions/error-groups.ts';
import { unverifiedPace } from '../definitions/destination-fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { sentRequestListSchema } from './attempt-schema.ts';
import {
  deliveryListQuery,
  deliveryListSchema,
  deliveryStreamQuery,
  histogramQuery,
  histogramSchema,
} from './list-schema.ts';
import {
  deliveryCancelSchema,
  deliveryReplayInput,
  deliveryRetrySchema,
  deliverySchema,
  deliverySummarySchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

/** A transaction and the last delivery read from it, or 0. */
export const lastEventIdField = z
  .string()
  .regex(/^\d{1,19}-(?:0|wd_[A-Za-z0-9]{8})$/, 'must be the id of an event of this stream')
  .describe('The id of the last received event, after which the stream resumes. By default, it starts now.');

const reading = byScope('deliveries.read', { within: 'header' });
const steering = byScope('deliveries.replay', { within: 'header' });

export const deliveryRoutes = defineRoutes('Deliveries', {
  listDeliveries: {
    route: 'GET /deliveries',
    summary: 'Lists and searches deliveries without payloads and attempts, newest first',
    remarks: 'Filters combine. Read payloads and attempts of a single delivery with `GET /deliveries/{wd}`.',
    isSlowRead: true,
    access: { ...reading, portal: 'deliveries.read' },
    query: deliveryListQuery,
    answer: deliveryListSchema,
    errors: ['CHANNEL_NOT_FOUND'],
  },
  countDeliveries: {
    route: 'GET /deliveries/histogram',
    summary: 'Counts deliveries by time and result',
    description: 'Takes the filters of the list, and counts the newest 50,000 deliveries that they leave.',
    isSlowRead: true,
    access: { ...reading, portal: 'deliveries.read' },
    query: histogramQuery,
    answer: histogramSchema,
    errors: ['CHANNEL_NOT_FOUND'],
  },
  streamDeliveries: {
    route: 'GET /deliveries/stream',
    summary: 'Streams changes of deliveries',
    description: 'Sends the changes in a channel or a workspace as server-sent events. Resumes after Last-Event-ID.',
    access: reading,
    query: deliveryStreamQuery,
    eventStream: deliverySummarySchema,
    errors: ['CHANNEL_NOT_FOUND'],
  },
  getDelivery: {
    route: 'GET /deliveries/{wd}',
    summary: 'Returns a delivery with its payload and attempts',
    remarks: 'The payload is the body as it is signed and sent. Each attempt has the response of the receiver.',
    access: { ...reading, portal: 'deliveries.read' },
    answer: deliverySchema,
    errors: ['BODY_UNREADABLE'],
  },
  listDeliveryRequests: {
    route: 'GET /deliveries/{wd}/requests',
    summary: 'Returns what each attempt of a delivery sent',
    description:
      'The latest 100. With the payload of the delivery, each can be checked and sent again. Omits attempts that sent nothing, ' +
      'attempts of releases before this route, and erased ones. A listener has none.',
    access: reading,
    answer: sentRequestListSchema,
  },
  retryDelivery: {
    route: 'POST /deliveries/{wd}/retry',
    summary: 'Sends a waiting delivery now',
    description:
      'It does not wait for its conversation, an open circuit, the rate or `debounce`. It counts as an attempt of the ' +
      'schedule, so if it fails, the next attempt follows after the next delay. If the delivery has ended, a new ' +
      `retry schedule begins, and the delivery waits like the others of its destination. ${unverifiedPace}`,
    access: { ...steering, portal: 'deliveries.retry' },
    status: 202,
    answer: deliveryRetrySchema,
    errors: [
      'DELIVERY_ALREADY_DELIVERED',
      'DELIVERY_ENDED',
      'EVENT_ERASED',
      'CHANNEL_DISCONNECTED',
      'CHANNEL_FORWARDING_DISABLED',
      ...workflowErrors,
    ],
  },
  cancelDelivery: {
    route: 'POST /deliveries/{wd}/cancel',
    summary: 'Cancels a waiting delivery',
    description: 'Cancelling it again changes nothing. Fails if the delivery has ended otherwise.',
    access: { ...steering, portal: 'deliveries.retry' },
    answer: deliveryCancelSchema,
    errors: ['DELIVERY_ENDED'],
  },
  replayDelivery: {
    route: 'POST /deliveries/{wd}/replay',
    summary: 'Sends the event of a delivery again as a new delivery',
    description: `The new delivery is outside the order of its conversation. ${unverifiedPace}`,
    access: { ...steering, portal: 'deliveries.retry' },
    body: deliveryReplayInput,
    idempotent: true,
    status: 202,
    answer: deliverySummarySchema,
    errors: [
      'SUBSCRIPTION_NOT_FOUND',
      'LISTENER_NOT_FOUND',
      'DELIVERY_ENDED',
      'EVENT_ERASED',
      'CHANNEL_DISCONNECTED',
      'CHANNEL_FORWARDING_DISABLED',
    ],
  },
});
