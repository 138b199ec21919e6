import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { errorSchema } from '../error-schema.ts';

const tag = 'Platform webhooks';
const unavailable = {
  description: 'SERVICE_UNAVAILABLE: nothing can be stored at present. The platform sends the events again.',
  headers: { 'Retry-After': { schema: { type: 'string' as const } } },
  content: { 'application/json': { schema: errorSchema } },
};
const refusal = (description: string) => ({ description, content: { 'application/json': { schema: errorSchema } } });

const challengeText =
  'Has the scheme `HMAC-SHA256`. The parameter `header` names the header of the signature, the only accepted credential.';

/** Not in the route table: the body is raw and the signature is the credential. */
export const ingestPaths: ZodOpenApiPathsObject = {
  '/platform/webhooks': {
    get: {
      operationId: 'answerHandshake',
      summary: "Answers the platform's handshake with its challenge",
      tags: [tag],
      requestParams: {
        query: z.object({
          'hub.mode': z.literal('subscribe'),
          'hub.verify_token': z.string(),
          'hub.challenge': z.string(),
        }),
      },
      responses: {
        '200': { description: 'The challenge.', content: { 'text/plain': { schema: z.string() } } },
        '403': refusal('FORBIDDEN: the verify token is wrong.'),
        '500': refusal('INTERNAL'),
      },
    },
    post: {
      operationId: 'acceptPlatformEvents',
      summary: 'Accepts signed events of the platform and responds after they are stored',
      tags: [tag],
      requestParams: { header: z.object({ 'X-Hub-Signature-256': z.string().regex(/^sha256=[0-9a-f]{64}$/) }) },
      requestBody: { required: true, content: { 'application/json': { schema: z.looseObject({}) } } },
      responses: {
        '200': { description: 'All events are stored.' },
        '400': refusal('MALFORMED_JSON'),
        '401': {
          ...refusal('AUTH_REQUIRED: the signature is missing or wrong. Nothing was stored.'),
          headers: { 'WWW-Authenticate': { description: challengeText, schema: { type: 'string' as const } } },
        },
        '413': refusal('PAYLOAD_TOO_LARGE'),
        '429': refusal(
          'RATE_LIMITED: too many events are waiting to be stored, or too many signatures from this address were invalid.',
        ),
        '500': refusal('INTERNAL'),
        '503': unavailable,
      },
    },
  },
};
