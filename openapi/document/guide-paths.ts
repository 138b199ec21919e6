import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

/** Not in the route table, which contains only JSON operations. */
export const guidePaths: ZodOpenApiPathsObject = {
  '/auth.md': {
    get: {
      operationId: 'readAgentGuide',
      summary: 'Describes how an agent gets a key by email code',
      tags: ['Agents'],
      responses: {
        '200': {
          description: 'The guide.',
          headers: {
            'x-request-id': { description: 'Identifies the request. Quote it to support.', schema: { type: 'string' } },
          },
          content: { 'text/markdown': { schema: z.string() } },
        },
      },
    },
  },
};
