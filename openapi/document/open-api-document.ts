import { createDocument, type ZodOpenApiOverride, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type Deployment, sessionCookieName } from '../people/cookies.ts';
import { scopes } from '../../contract/identity/scopes.ts';
import { guideUrl } from '../../contract/guides.ts';
import { apiVersion } from '../../contract/api-version.ts';
import { tagGroups } from '../definitions/tags.ts';
import { routes } from '../route-table.ts';
import { eventWebhooks } from './event-webhooks.ts';
import { finishDocument } from './finish-document.ts';
import { errorExamples, errorResponses } from './error-responses.ts';
import { headerComponents, headerReference } from './headers.ts';
import { operationOf } from './operation.ts';
import { ingestPaths } from './ingest-paths.ts';
import { z } from 'zod';
import { type AlertCallType, alertCallTypes } from '../../contract/notifications/notification.ts';
import { alertCallSchema } from '../alerts/webhook-routes.ts';

interface Described {
  readonly baseUrl: string;
  readonly deployment: Deployment;
}

const descriptionFor = (baseUrl: string): string =>
  'Manage channels, webhooks and signed deliveries. Every response has an `x-request-id` header. Every error response has ' +
  'an Error object as its body, and a `Link` header with `rel="help"` that names a guide. Models can call the same ' +
  'operations as tools of the Model Context Protocol at `/mcp`, with an API key in `X-API-Key`. `tools/list` describes ' +
  `the tools, and [a guide](${guideUrl(baseUrl, 'mcp')}) describes how to connect. ` +
  'Channel tokens are for the gateway, whose URL `GET /platform/channels/{ch}/env` returns. The gateway forwards ' +
  `calls to the platform's own API; [its guide](${guideUrl(baseUrl, 'gateway')}) describes what it forwards. ` +
  'A malformed HTTP request also gets an Error object, with `VALIDATION_ERROR`, `HEADERS_TOO_LARGE` or ' +
  '`REQUEST_TIMEOUT`, and its connection is closed.';

/** Removes patterns that repeat a format, and the bounds of safe integers. */
const tidySchema: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
};

let built: { readonly baseUrl: string; readonly deployment: Deployment; readonly text: string } | undefined;

/** Returns the document as JSON. Keeps the last one, because building it takes longer than serving it. */
export function openApiText({ baseUrl, deployment }: Described): string {
  if (built?.baseUrl !== baseUrl || built.deployment !== deployment) {
    built = { baseUrl, deployment, text: JSON.stringify(openApiDocument({ baseUrl, deployment })) };
  }
  return built.text;
}

export function openApiDocument({ baseUrl, deployment }: Described): ReturnType<typeof createDocument> {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Messaging channels',
        version: apiVersion,
        description: descriptionFor(baseUrl),
      },
      externalDocs: { description: 'Guides', url: guideUrl(baseUrl, 'home') },
      servers: [{ url: baseUrl, description: 'This installation' }],
      tags: tagGroups.flatMap(({ tags }) => Object.entries(tags).map(([name, text]) => ({ name, description: text }))),
      'x-tagGroups': tagGroups.map(({ name, tags }) => ({ name, tags: Object.keys(tags) })),
      security: [],
      paths: { ...operationPaths(), ...guidePaths, ...ingestPaths },
      webhooks: { ...eventWebhooks, ...alertCalls },
      components: {
        securitySchemes: securitySchemes(deployment),
        headers: headerComponents,
        examples: errorExamples(),
      },
    },
    { override: tidySchema },
  );
  return finishDocument(document);
}

function securitySchemes(deployment: Described['deployment']) {
  return {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'hmok_…',
      description: `An API key. A limited key has some of the scopes ${scopes.join(', ')}.`,
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(deployment),
      description: 'The cookie of a browser session.',
    },
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The short-lived access token of a session.',
    },
    portalToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The token of `POST /portal/session`.',
    },
  } as const;
}

function operationPaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  }
  return paths;
}

/** Not in the route table, which contains only JSON operations. */
const guidePaths: ZodOpenApiPathsObject = {
  '/auth.md': {
    get: {
      operationId: 'readAgentGuide',
      summary: 'Read the guide for agents',
      description:
        'Describes how an agent gets a key by email code. Written for agents, which need no other document to get a key.',
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
const alertCalls: ZodOpenApiPathsObject = Object.fromEntries(
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
