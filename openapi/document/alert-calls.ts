import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { type AlertCallType, alertCallTypes } from '../../contract/notifications/notification.ts';
import { alertCallSchema } from '../alerts/webhook-schema.ts';

const headers = z.object({
  'webhook-id': z.string().describe('The id of the call, the same on each attempt. Deduplicate by it.'),
  'webhook-timestamp': z.string().describe('Seconds since 1970.'),
  'webhook-signature': z.string().describe('Space-separated `v1,` signatures (Standard Webhooks).'),
});

const summaries: Readonly<Record<AlertCallType, string>> = {
  'alert.opened': 'Alerts that opened',
  'alert.resolved': 'Alerts that are over, of which you got the start',
  'alert.test': 'A test call with a sample alert',
};

/** What the alert webhook of an organization gets. */
export const alertCalls: ZodOpenApiPathsObject = Object.fromEntries(
  alertCallTypes.map((type) => [type, { post: callOf(type) }]),
);

function callOf(type: AlertCallType) {
  const [, word = ''] = type.split('.');
  return {
    operationId: `receiveAlert${word.charAt(0).toUpperCase()}${word.slice(1)}`,
    summary: summaries[type],
    description: 'Signed like a delivery. One call can have several alerts; critical ones come first.',
    tags: ['Alert calls'],
    requestParams: { header: headers },
    requestBody: { required: true, content: { 'application/json': { schema: alertCallSchema } } },
    responses: {
      '2XX': { description: 'The call is delivered.' },
      default: { description: type === 'alert.test' ? 'The test has failed.' : 'The call is retried for about a day.' },
    },
  };
}
