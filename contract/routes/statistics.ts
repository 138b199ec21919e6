import { channelDestinationsSchema, statisticsQuery, statisticsSchema } from '../schemas/statistics.ts';
import { byScope, channelParameter, type RouteDefinition } from './definition.ts';

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
  getChannelStatistics: {
    operationId: 'getChannelStatistics',
    summary: 'Counts the deliveries of each destination over time, with their latency',
    tag,
    method: 'get',
    path: '/channels/{ch}/statistics',
    parameters: { ch: channelParameter },
    access: reading,
    query: statisticsQuery,
    success: { status: 200, body: statisticsSchema },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
