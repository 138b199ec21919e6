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
  components: { schemas: Record<string, object> };
}

/** A reserved name, so that a client without an address of its own calls no existing service. */
const EXAMPLE_URL = 'https://channels.example.com';
const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the OpenAPI document without the few things that generators of clients don't read. */
export function generatorDocument(): object {
  const served = openApiDocument({ baseUrl: EXAMPLE_URL, deployment: 'production' });
  // Copied, because the served document is kept.
  const document = JSON.parse(JSON.stringify(served)) as Document;
  const operations = Object.values(document.paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
  for (const operation of operations) withFiles(operation);
  withoutLines(document, operations);
  return document;
}

/** Generators read no JSON lines: an export is a file for them. */
function withoutLines(document: Document, operations: readonly Operation[]): void {
  delete document.components.schemas['PersonExportLine'];
  for (const { content } of operations.flatMap(({ responses }) => Object.values(responses))) {
    if (!content?.['application/x-ndjson']) continue;
    content['application/octet-stream'] = { schema: { type: 'string', format: 'binary' } };
    delete content['application/x-ndjson'];
  }
}

/** Generators know no other type for any content. */
function withFiles({ requestBody, responses }: Operation): void {
  for (const { content } of [requestBody ?? {}, ...Object.values(responses)]) {
    if (!content?.['*/*']) continue;
    content['application/octet-stream'] = content['*/*'];
    delete content['*/*'];
  }
}
