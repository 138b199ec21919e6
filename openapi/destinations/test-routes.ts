import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';
import { sentRequestListSchema } from '../deliveries/attempt-schema.ts';
import { testEventListQuery, testEventListSchema, testEventSchema } from './test-schema.ts';

const reading = byScope('deliveries.read', { within: 'channel' });

export const testEventRoutes = defineRoutes('Webhook destination', {
  listTestEvents: {
    route: 'GET /channels/{ch}/test-events',
    summary: "Lists the test events of the channel's destinations, newest first",
    remarks: 'Test events are stored apart from deliveries.',
    access: reading,
    query: testEventListQuery,
    answer: testEventListSchema,
  },
  getTestEvent: {
    route: 'GET /channels/{ch}/test-events/{wd}',
    summary: 'Returns a test event with its payload and attempt',
    remarks: 'With the response of the receiver.',
    access: reading,
    answer: testEventSchema,
  },
  listTestEventRequests: {
    route: 'GET /channels/{ch}/test-events/{wd}/requests',
    summary: 'Returns what a test event sent',
    remarks: 'With the headers and signatures, so that you can check the request again.',
    access: reading,
    answer: sentRequestListSchema,
  },
});
