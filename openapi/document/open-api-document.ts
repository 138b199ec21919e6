import { createDocument, type ZodOpenApiOverride, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { Deployment } from '../people/cookies.ts';
import { sessionCookieName } from '../people/session-cookie.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { routes } from '../route-table.ts';
import { guidePaths } from './guide-paths.ts';
import { operationOf } from './operation.ts';
import { ingestPaths } from './ingest-paths.ts';

interface Described {
  readonly baseUrl: string;
  readonly deployment: Deployment;
}

const description =
  'Channels, signed webhook deliveries and their ledger. Every response carries `x-request-id`; a refusal is an Error object. ' +
  'What an API key opens is offered to models too, as tools of the Model Context Protocol at `/mcp` (key in `X-API-Key`): ' +
  "its `tools/list` describes them, and the project's `docs/mcp.md` how to connect. Channel tokens are for the " +
  "gateway, at an address of its own that `GET /platform/channels/{ch}/env` names: it passes the platform's own API " +
  "on, whose documentation is the platform's; the project's `docs/gateway.md` says what is passed on and refused. " +
  'What can not be read as a request of HTTP is an Error object too: `VALIDATION_ERROR`, `HEADERS_TOO_LARGE` or ' +
  '`REQUEST_TIMEOUT`, over a connection that is then closed.';

/** Removes generated details that readers don't need: patterns of named formats, and the safe-integer bounds. */
const tidySchema: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

/** The OpenAPI 3.1 document, made from the same table and schemas that the routes are checked with. */
export function openApiDocument({ baseUrl, deployment }: Described): ReturnType<typeof createDocument> {
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Messaging channels',
        version: '1.0.0',
        description,
      },
      servers: [{ url: baseUrl }],
      paths: { ...operationPaths(), ...guidePaths, ...ingestPaths },
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
            name: sessionCookieName(deployment),
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
