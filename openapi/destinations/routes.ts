import {
  channelDestinationsSchema,
  destinationChange,
  misfittingSpan,
  statisticsQuery,
  statisticsSchema,
} from './schema.ts';
import { byScope, channelParameter, type RouteDefinition } from '../definitions/route-definition.ts';

const tag = 'Deliveries';
const reading = byScope('deliveries.read', { within: 'channel' });

export const statisticsRoutes = {
  listChannelDestinations: {
    operationId: 'listChannelDestinations',
    summary: "Lists where the channel's events go, and how each destination is doing",
    tag,
    method: 'get',
    path: '/channels/{ch}/destinations',
    parameters: { ch: channelParameter },
    access: reading,
    success: { status: 200, body: channelDestinationsSchema },
    errors: [],
  },
  setDestinationOrdering: {
    operationId: 'setDestinationOrdering',
    summary: 'Sets whether events go to a destination in order within their conversation',
    tag,
    method: 'patch',
    path: '/channels/{ch}/destinations',
    parameters: { ch: channelParameter },
    access: byScope('webhook.manage', { within: 'channel', role: 'admin' }),
    body: destinationChange,
    success: { status: 200, body: channelDestinationsSchema },
    errors: ['WEBHOOK_NOT_SET', 'SUBSCRIPTION_NOT_FOUND'],
  },
  getChannelStatistics: {
    operationId: 'getChannelStatistics',
    summary: 'Counts the deliveries of each destination over time, with their latency',
    tag,
    method: 'get',
    path: '/channels/{ch}/statistics',
    parameters: { ch: channelParameter },
    access: reading,
    query: statisticsQuery,
    problems: misfittingSpan,
    success: { status: 200, body: statisticsSchema },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
