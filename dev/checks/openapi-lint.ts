import { openApiDocument } from '../../openapi/document/open-api-document.ts';
import { lintDocument } from './lint-document.ts';

/** Lints the OpenAPI document with the rules of redocly.yaml. */
// The linter refuses addresses that are examples.
const found = lintDocument(openApiDocument({ baseUrl: 'https://channels.invalid', deployment: 'production' }));
if (found !== undefined) {
  console.error(found);
  process.exitCode = 1;
}
