import { openApiDocument } from '../../openapi/document/open-api-document.ts';

interface Content {
  schema?: unknown;
}
interface Answer {
  content?: Record<string, Content>;
}
interface Operation {
  requestBody?: Answer;
  responses: Record<string, Answer>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Error: { properties: Record<string, object>; additionalProperties?: unknown } } };
}

/** A reserved name, so that a client without an address of its own calls no existing service. */
const EXAMPLE_URL = 'https://channels.example.com';
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Returns the OpenAPI document as generators of clients need it. The served document has a schema for each status of
 * each operation, with its error codes; generators make 2,200 classes from them. Here, all errors have one schema,
 * whose code is a string and which may have more fields, so that generated clients accept codes that are added later.
 */
export function generatorDocument(): object {
  const served = openApiDocument({ baseUrl: EXAMPLE_URL, deployment: 'production' });
  // Copied, because the served document is kept.
  const document = JSON.parse(JSON.stringify(served)) as Document;
  for (const item of Object.values(document.paths)) {
    for (const method of methods) if (item[method]) simplify(item[method]);
  }
  const { Error: error } = document.components.schemas;
  error.properties['code'] = { type: 'string', description: 'Stable and machine-readable. Codes may be added.' };
  error.additionalProperties = true;
  return document;
}

function simplify({ requestBody, responses }: Operation): void {
  for (const [status, { content }] of Object.entries(responses)) {
    const json = content?.['application/json'];
    if (json && Number(status) >= 400 && isError(json.schema)) json.schema = { $ref: '#/components/schemas/Error' };
  }
  // Generators know no other type for any content.
  for (const { content } of [requestBody ?? {}, ...Object.values(responses)]) {
    if (!content?.['*/*']) continue;
    content['application/octet-stream'] = content['*/*'];
    delete content['*/*'];
  }
}

/** Some answers with an error status have a body of their own, such as failed health checks. */
function isError(schema: unknown): boolean {
  const properties = (schema as { properties?: object } | undefined)?.properties;
  return properties !== undefined && 'code' in properties && 'requestId' in properties;
}
