import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../../openapi/document/open-api-document.ts';
import { projectRoot } from './source-files.ts';

const linter = join(projectRoot, 'node_modules/.bin/redocly');
/** The linter neither asks for updates nor reports its use. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/**
 * Returns what the linter says about an OpenAPI document by the rules of redocly.yaml, or undefined if it finds nothing.
 * Warnings count.
 */
export function lintDocument(document: object): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-lint-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document, null, 1));
    const parameters = ['lint', '--config', 'dev/checks/redocly.yaml', '--format', 'stylish', file];
    const { status, stdout, stderr } = spawnSync(linter, parameters, { cwd: projectRoot, env, encoding: 'utf8' });
    return status === 0 ? undefined : stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  // The linter refuses addresses that are examples.
  const found = lintDocument(openApiDocument({ baseUrl: 'https://channels.invalid', deployment: 'production' }));
  if (found !== undefined) console.error(found);
  process.exitCode = found === undefined ? 0 : 1;
}
