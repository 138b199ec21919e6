import { defineRoutes } from '../definitions/define-routes.ts';
import { outboundCallList, outboundCallQuery } from './outbound-call-schema.ts';
import { byScope } from '../definitions/route-definition.ts';

export const outboundCallRoutes = defineRoutes('Outbound calls', {
  listOutboundCalls: {
    route: 'GET /channels/{ch}/outbound-calls',
    summary: 'Lists calls to the platform',
    description: 'Returns the calls that were made for the channel, newest first.',
    access: byScope('channel.read', { within: 'channel' }),
    query: outboundCallQuery,
    answer: outboundCallList,
  },
});
