import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

/** A text for agents: no JSON, and so no row of the routes' table. */
export const guidePaths: ZodOpenApiPathsObject = {
  '/auth.md': {
    get: {
      operationId: 'readAgentGuide',
      summary: 'Tells an agent how to get a key of its own by e-mail code',
      tags: ['Agents'],
      responses: {
        '200': {
          description: 'The guide.',
          headers: { 'x-request-id': { description: 'Names the request, for support.', schema: { type: 'string' } } },
          content: { 'text/markdown': { schema: z.string() } },
        },
      },
    },
  },
};
