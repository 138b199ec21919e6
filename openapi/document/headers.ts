import type { ZodOpenApiComponentsObject } from 'zod-openapi';
import { exampleRequestId } from '../examples/error-example.ts';

const text = { type: 'string' as const };

export const headerComponents = {
  RequestId: {
    description:
      "Identifies the request: the caller's own x-request-id, if it has 1 to 128 letters, digits, dots, dashes and underscores. Quote it to support.",
    schema: text,
    example: exampleRequestId,
  },
  RateLimit: {
    description:
      'The remaining quota of the last counted limit, and the seconds until it resets. Also in successful responses.',
    schema: text,
    example: '"credential";r=0;t=12',
  },
  RateLimitPolicy: {
    description: 'The quota of that limit and the seconds of its window.',
    schema: text,
    example: '"credential";q=600;w=60',
  },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: text, example: '12' },
  Challenge: {
    description: 'The scheme of the credential, and where its metadata are.',
    schema: text,
    example: 'Bearer resource_metadata="https://channels.example.com/.well-known/oauth-protected-resource"',
  },
  Location: { description: 'The path of the resource, which may have been created.', schema: text },
} as const satisfies ZodOpenApiComponentsObject['headers'];

export function headerReference(name: keyof typeof headerComponents): { $ref: `#/components/headers/${string}` } {
  return { $ref: `#/components/headers/${name}` };
}
