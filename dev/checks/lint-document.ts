import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './source-files.ts';

const linters = [
  ['redocly', 'lint', '--config', 'redocly.yaml', '--format', 'stylish'],
  ['spectral', 'lint', '--ruleset', '.spectral.yaml', '--fail-severity', 'hint', '--quiet'],
] as const;
/** Neither asks for updates nor reports its use. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Returns what each linter that finds something says about an OpenAPI document, by the linter's name. Warnings count. */
export function lintDocument(document: object): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-lint-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document, null, 1));
    const found = new Map<string, string>();
    for (const [name, ...parameters] of linters) {
      const command = join(projectRoot, 'node_modules/.bin', name);
      const options = { cwd: projectRoot, env, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(command, [...parameters, file], options);
      if (status !== 0) found.set(name, stdout + stderr);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
