import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { statusByErrorCode } from '../../contract/errors.ts';
import { openApiDocument } from '../../openapi/document/open-api-document.ts';
import { projectRoot } from './source-files.ts';

type Document = ReturnType<typeof openApiDocument>;
type PathItem = NonNullable<Document['paths']>[string];
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Writes the types of the calls to `client/api-types.ts`, which Git ignores. Node never reads it: all imports are of types.
 * Replaces an outdated file at once, because checks may run at the same time.
 */
export async function writeClientTypes(): Promise<void> {
  const path = join(projectRoot, 'client/api-types.ts');
  const text = await clientTypes();
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, path);
}

/**
 * Omits error responses, which the client throws as one error type, and the workspace header, which it sets. Adds the
 * codes that this release knows: the document leaves `Error.code` open.
 */
async function clientTypes(): Promise<string> {
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
  return withoutAbsences(astToString(syntax));
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

if (import.meta.main) await writeClientTypes();
