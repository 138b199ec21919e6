import { outboundCallList, outboundCallQuery } from './outbound-call-schema.ts';
import { byScope, channelParameter, type RouteDefinition } from '../definitions/route-definition.ts';

export const outboundCallRoutes = {
  listOutboundCalls: {
    operationId: 'listOutboundCalls',
    summary: 'Lists the calls that left for the platform on behalf of the channel, newest first',
    tag: 'Outbound calls',
    method: 'get',
    path: '/channels/{ch}/outbound-calls',
    parameters: { ch: channelParameter },
    access: byScope('channel.read', { within: 'channel' }),
    query: outboundCallQuery,
    success: { status: 200, body: outboundCallList },
    errors: [],
  },
} as const satisfies Record<string, RouteDefinition>;
