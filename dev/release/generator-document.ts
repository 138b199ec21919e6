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
interface ObjectSchema {
  properties: Record<string, object>;
  additionalProperties?: unknown;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, ObjectSchema> & { Error: ObjectSchema } };
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
  withoutLines(document);
  withoutTwins(document);
  return document;
}

/** Generators read no JSON lines: an export is a file for them. */
function withoutLines(document: Document): void {
  delete document.components.schemas['PersonExportLine'];
  const operations = Object.values(document.paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
  for (const { content } of operations.flatMap(({ responses }) => Object.values(responses))) {
    if (!content?.['application/x-ndjson']) continue;
    content['application/octet-stream'] = { schema: { type: 'string', format: 'binary' } };
    delete content['application/x-ndjson'];
  }
}

/** The platform's own name of a field becomes the same name in a program. The object takes it as a further field. */
function withoutTwins({ components: { schemas } }: Document): void {
  for (const name of ['MediaContainerInput', 'ScheduledPostInput', 'ScheduledPostChange']) {
    const trial = schemas[name]?.properties['trialParams'] as ObjectSchema | undefined;
    if (trial) delete trial.properties['graduation_strategy'];
  }
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
