import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { statusByErrorCode } from '../../contract/errors.ts';
import { openApiDocument } from '../../openapi/document/open-api-document.ts';

type Document = ReturnType<typeof openApiDocument>;
type PathItem = NonNullable<Document['paths']>[string];
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Omits error responses, which the client throws as one error type, and the workspace header, which it sets. Adds the
 * codes that this release knows: the document leaves `Error.code` open.
 */
export async function clientTypes(): Promise<string> {
  // The client receives no events.
  const { webhooks: _, ...document } = openApiDocument({
    baseUrl: 'http://localhost:3000',
    deployment: 'production',
  });
  const paths = Object.fromEntries(
    Object.entries(document.paths ?? {}).map(([path, item]) => [path, withoutErrors(item ?? {})]),
  );
  const { headers: _headers, examples: _examples, responses: _responses, ...components } = document.components ?? {};
  const schemas = { ...components.schemas, ErrorCode: { type: 'string', enum: Object.keys(statusByErrorCode) } };
  // Copied, because the generator changes its input.
  const plain = JSON.stringify({ ...document, components: { ...components, schemas }, paths });
  const syntax = await openapiTS(plain, { alphabetize: true, silent: true });
  const text = `// Written by \`npm run format\` from the OpenAPI document.\n${withoutAbsences(astToString(syntax))}`;
  return format(text, { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' });
}

function withoutErrors(item: PathItem): PathItem {
  const kept = { ...item };
  for (const method of methods) {
    const operation = kept[method];
    if (!operation) continue;
    const successes = Object.entries(operation.responses ?? {}).filter(([status]) => status.startsWith('2'));
    const responses = Object.fromEntries(
      successes.map(([status, response]) => {
        if ('$ref' in response) return [status, response];
        const { headers: _unnamed, ...rest } = response;
        return [status, rest];
      }),
    );
    const parameters = operation.parameters?.filter(
      (parameter) => !('name' in parameter && parameter.name === 'X-Workspace-Id'),
    );
    kept[method] = { ...operation, responses, ...(parameters && { parameters }) };
  }
  return kept;
}

const absences = [
  /^\s*\w+\?: never;$/,
  /^\s*\[name: string\]: unknown;$/,
  /^export type (?:webhooks|\$defs) = Record<string, never>;$/,
];

function withoutAbsences(text: string): string {
  return text
    .split('\n')
    .filter((line) => !absences.some((absence) => absence.test(line)))
    .join('\n');
}
