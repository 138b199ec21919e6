import { openApiDocument } from '../../openapi/document/open-api-document.ts';
import { lintDocument } from './lint-document.ts';

/** Lints the OpenAPI document with the rules of redocly.yaml and .spectral.yaml. */
// Both linters refuse addresses that are examples.
const found = lintDocument(openApiDocument({ baseUrl: 'https://channels.invalid', deployment: 'production' }));
for (const [name, text] of found) console.error(`${name}:\n${text}`);
if (found.size > 0) process.exitCode = 1;
