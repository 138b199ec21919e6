import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { projectRoot } from './source-files.ts';

/** Continues after a failure, so that one run shows everything to fix. */
const steps: Readonly<Record<string, readonly string[]>> = {
  prettier: ['prettier', '--check', '--log-level', 'warn', '.'],
  types: ['tsc', '--noEmit', '--pretty', 'false'],
  'dashboard-types': ['tsc', '-p', 'dashboard', '--pretty', 'false'],
  'reference-types': ['tsc', '-p', 'reference', '--pretty', 'false'],
  'guides-types': ['tsc', '-p', 'guides', '--pretty', 'false'],
  'workflow-types': ['node', 'dev/checks/workflow-types.ts'],
  eslint: ['eslint', '.'],
  'dependency-cruiser': ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', '.'],
  knip: ['knip', '--no-progress', '--no-config-hints'],
  'knip-production': ['knip', '--strict', '--dependencies', '--no-progress'],
  generated: ['node', 'dev/checks/generate.ts', '--check'],
  'openapi-lint': ['node', 'dev/checks/openapi-lint.ts'],
  folders: ['node', 'dev/checks/folders.ts'],
  'ledger-writes': ['node', 'dev/checks/ledger-writes.ts'],
  migrations: ['node', 'dev/checks/migrations.ts'],
  words: ['node', 'dev/checks/words.ts'],
  language: ['node', 'dev/checks/language.ts'],
  names: ['ava', 'test/dev/checks/names.test.ts'],
  'last-release': ['node', 'dev/release/check-last-release.ts'],
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. Choose from ${Object.keys(steps).join(', ')}.`);
  process.exit(1);
}

const binaries = join(projectRoot, 'node_modules', '.bin');
const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env['PATH'] ?? ''}` };
const failed: string[] = [];
for (const [name, [command = '', ...parameters]] of Object.entries(steps)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  console.log(`── ${name}`);
  const startedAtMs = performance.now();
  const { status } = spawnSync(command, parameters, { cwd: projectRoot, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  console.log(`   ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? 'All checks passed' : `Failed checks: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
