import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { TagName } from '../definitions/tags.ts';
import { errorResponses } from './error-responses.ts';
import { headerReference } from './headers.ts';

const tag = 'Platform webhooks' satisfies TagName;
const headers = { 'x-request-id': headerReference('RequestId') };

/** Not in the route table: the body is raw and the signature is the credential. */
const platformEvents = z
  .looseObject({
    object: z.string().optional().describe('The product whose events these are.'),
    entry: z
      .array(
        z.looseObject({
          id: z.string().optional().describe('The account, in the words of the platform.'),
          changes: z.array(z.looseObject({})).optional().describe('The events of a number, a page or an account.'),
          messaging: z.array(z.looseObject({})).optional().describe('The messages of an account or a page.'),
        }),
      )
      .optional()
      .describe('The events, by account.'),
  })
  .describe("Events in the platform's format. Other fields are accepted.");

export const ingestPaths: ZodOpenApiPathsObject = {
  '/platform/webhooks': {
    get: {
      operationId: 'answerHandshake',
      summary: 'Answer the handshake',
      description:
        "Answers the platform's handshake with its challenge. The platform calls it once, when its webhook is set up.",
      tags: [tag],
      security: [],
      requestParams: {
        query: z.object({
          'hub.mode': z.literal('subscribe').describe('Always `subscribe`.'),
          'hub.verify_token': z.string().describe('As it is set at the platform.'),
          'hub.challenge': z.string().describe('Is returned.'),
        }),
      },
      responses: {
        '200': {
          description: 'The challenge.',
          headers,
          content: { 'text/plain': { schema: z.string(), example: '1158201444' } },
        },
        ...errorResponses(['VALIDATION_ERROR', 'FORBIDDEN', 'INTERNAL']),
      },
    },
    post: {
      operationId: 'acceptPlatformEvents',
      summary: 'Accept platform events',
      description:
        'Accepts signed events of the platform and responds after they are stored. The platform calls it. `Retry-After` and the status 429 or 503 mean that too many events are waiting to be ' +
        'stored, or that nothing can be stored at present: the platform sends the events again. Repeated wrong ' +
        'signatures from one address are limited, too.',
      tags: [tag],
      security: [],
      requestParams: {
        header: z.object({
          'X-Hub-Signature-256': z
            .string()
            .regex(/^sha256=[0-9a-f]{64}$/)
            .meta({
              description:
                '`sha256=` and the HMAC-SHA256 of the raw body, keyed on the app secret. The only accepted credential.',
              example: 'sha256=6b1f4c2e0d9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c',
            }),
        }),
      },
      requestBody: { required: true, content: { 'application/json': { schema: platformEvents } } },
      responses: {
        '200': { description: 'All events are stored.', headers },
        ...errorResponses([
          ...(['MALFORMED_JSON', 'AUTH_REQUIRED', 'PAYLOAD_TOO_LARGE'] as const),
          ...(['RATE_LIMITED', 'INTERNAL', 'SERVICE_UNAVAILABLE'] as const),
        ]),
      },
    },
  },
};
