import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { SESSION_COOKIE } from '../../contract/sessions.ts';
import { scopes } from '../../contract/scopes.ts';
import { routes } from '../../contract/routes.ts';
import { operationOf } from './operation.ts';
import { ingestPaths } from './platform-webhooks.ts';
import { tidySchema } from './tidy-schema.ts';

/** The OpenAPI 3.1 document, made from the same table and schemas that the routes are checked with. */
export function openApiDocument({ baseUrl }: { baseUrl: string }): ReturnType<typeof createDocument> {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Messaging channels',
        version: '1.0.0',
        description:
          'Channels, signed webhook deliveries and their ledger. Every response carries `x-request-id`; a refusal is an Error object. ' +
          'What an API key opens is offered to models too, as tools of the Model Context Protocol at `/mcp` (key in `X-API-Key`).',
      },
      servers: [{ url: baseUrl }],
      paths: { ...operationPaths(), ...ingestPaths },
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'hmok_…',
            description: `An API key. A limited one has some of the scopes ${scopes.join(', ')}.`,
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description: 'The cookie of a session in the browser.',
          },
          accessToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The short-lived token of a session.',
          },
        },
      },
    },
    { override: tidySchema },
  );
}

function operationPaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  }
  return paths;
}
