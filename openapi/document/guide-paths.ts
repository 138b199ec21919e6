import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { errorResponses } from './error-responses.ts';
import { headerReference } from './headers.ts';

/** Not in the route table, which contains only JSON operations. */
export const guidePaths: ZodOpenApiPathsObject = {
  '/auth.md': {
    get: {
      operationId: 'readAgentGuide',
      summary: 'Describes how an agent gets a key by email code',
      description: 'Written for agents, which need no other document to get a key.',
      tags: ['Agents'],
      security: [],
      responses: {
        '200': {
          description: 'The guide.',
          headers: { 'x-request-id': headerReference('RequestId') },
          content: {
            'text/markdown': {
              schema: z.string(),
              example: '# Messaging channels for agents\n\nGet a key by email code.\n',
            },
          },
        },
        ...errorResponses(['VALIDATION_ERROR', 'INTERNAL']),
      },
    },
  },
};
