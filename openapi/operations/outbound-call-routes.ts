import { defineRoutes } from '../definitions/define-routes.ts';
import { outboundCallList, outboundCallQuery } from './outbound-call-schema.ts';
import { byScope } from '../definitions/route-definition.ts';

export const outboundCallRoutes = defineRoutes('Outbound calls', {
  listOutboundCalls: {
    route: 'GET /channels/{ch}/outbound-calls',
    summary: 'Lists the calls to the platform for the channel, newest first',
    remarks: 'Calls through the gateway and of the service itself, without contents.',
    isSlowRead: true,
    access: byScope('channel.read', { within: 'channel' }),
    query: outboundCallQuery,
    answer: outboundCallList,
  },
});
