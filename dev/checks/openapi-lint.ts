import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiDocument } from '../../openapi/document/open-api-document.ts';
import { projectRoot } from './source-files.ts';

/** Lints the OpenAPI document with the rules of redocly.yaml and .spectral.yaml. Warnings fail, too. */
const folder = mkdtempSync(join(tmpdir(), 'openapi-lint-'));
const file = join(folder, 'openapi.json');
// Both linters refuse addresses that are examples.
const document = openApiDocument({ baseUrl: 'https://channels.invalid', deployment: 'production' });
writeFileSync(file, JSON.stringify(document, null, 1));

const linters = [
  ['redocly', 'lint', '--config', 'redocly.yaml', '--format', 'stylish', file],
  ['spectral', 'lint', '--ruleset', '.spectral.yaml', '--fail-severity', 'hint', '--quiet', file],
] as const;
/** Neither asks for updates nor reports its use. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

for (const [name, ...parameters] of linters) {
  const command = join(projectRoot, 'node_modules/.bin', name);
  const { status, stdout, stderr } = spawnSync(command, parameters, { cwd: projectRoot, env, encoding: 'utf8' });
  if (status === 0) continue;
  console.error(`${name}:\n${stdout}${stderr}`);
  process.exitCode = 1;
}
rmSync(folder, { recursive: true });
