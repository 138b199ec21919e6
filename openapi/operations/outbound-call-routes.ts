import { z } from 'zod';
import { givenInstant, idField, instantField, namedObject, namedPage, pageQuery } from '../definitions/fields.ts';
import { defineRoutes } from '../definitions/define-routes.ts';
import { byScope } from '../definitions/route-definition.ts';

const outboundCallQuery = z.strictObject({
  requestId: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,128}$/, 'must be a request id: 1 to 128 letters, digits, dots, dashes and underscores')
    .optional()
    .describe("Filters by the request that caused the calls: the service's id, or the caller's own x-request-id."),
  since: givenInstant.optional().describe('Started at or after this time.'),
  until: givenInstant.optional().describe('Started before this time.'),
  ...pageQuery,
});

export const outboundCallSchema = namedObject('OutboundCall', {
  channelId: idField('channel', 'The channel of the call.'),
  via: z.enum(['gateway', 'api', 'workflow']).describe('The component that made the call.'),
  caller: z.string().describe('A credential, the first characters of a channel token, or a workflow.'),
  operation: z.string().nullable().describe('The operation of the API; null for the gateway.'),
  method: z.string(),
  path: z.string().describe('Without version and query.'),
  status: z.int().nullable().describe('Null without a response.'),
  error: z.string().nullable().describe("The platform's code and subcode, or the reason for a missing response."),
  durationMs: z.int(),
  requestId: z.string().describe("The service's id of the request."),
  callerRequestId: z.string().nullable().describe("The caller's own x-request-id."),
  platformRequestId: z.string().nullable().describe("Quote it to the platform's support."),
  startedAt: instantField,
});
const outboundCallList = namedPage('OutboundCallList', { outboundCalls: outboundCallSchema });

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
