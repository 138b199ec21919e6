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
    remarks: 'With circuit, failures and waiting deliveries of each.',
    access: { ...reading, portal: 'deliveries.read' },
    answer: channelDestinationsSchema,
  },
  setDestinationOrdering: {
    route: 'PATCH /channels/{ch}/destinations',
    summary: 'Sets the order, headers, authentication, time-out, rate, retries and debounce of a destination',
    remarks: 'Omitted fields stay as they are.',
    access: byScope('webhook.manage', { within: 'channel', role: 'admin' }),
    body: destinationChange,
    answer: channelDestinationsSchema,
    errors: ['WEBHOOK_NOT_SET', 'SUBSCRIPTION_NOT_FOUND'],
  },
  getChannelStatistics: {
    route: 'GET /channels/{ch}/statistics',
    summary: 'Counts the deliveries of each destination over time, with their latency',
    remarks: 'The last hour in 60 buckets by default.',
    isSlowRead: true,
    access: { ...reading, portal: 'deliveries.read' },
    query: statisticsQuery,
    problems: misfittingSpan,
    answer: statisticsSchema,
  },
});
