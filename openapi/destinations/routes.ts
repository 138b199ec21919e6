import { defineRoutes } from '../definitions/define-routes.ts';
import {
  channelDestinationsSchema,
  destinationChange,
  misfittingSpan,
  statisticsQuery,
  statisticsSchema,
} from './schema.ts';
import { byScope } from '../definitions/route-definition.ts';

const reading = byScope('deliveries.read', { within: 'channel' });

export const destinationRoutes = defineRoutes('Deliveries', {
  listChannelDestinations: {
    route: 'GET /channels/{ch}/destinations',
    summary: "Lists the channel's destinations with their health",
    access: { ...reading, portal: 'deliveries.read' },
    answer: channelDestinationsSchema,
  },
  setDestinationOrdering: {
    route: 'PATCH /channels/{ch}/destinations',
    summary: 'Sets the order, headers, authentication, time-out, rate, retries and debounce of a destination',
    access: byScope('webhook.manage', { within: 'channel', role: 'admin' }),
    body: destinationChange,
    answer: channelDestinationsSchema,
    errors: ['WEBHOOK_NOT_SET', 'SUBSCRIPTION_NOT_FOUND'],
  },
  getChannelStatistics: {
    route: 'GET /channels/{ch}/statistics',
    summary: 'Counts the deliveries of each destination over time, with their latency',
    access: { ...reading, portal: 'deliveries.read' },
    query: statisticsQuery,
    problems: misfittingSpan,
    answer: statisticsSchema,
  },
});
