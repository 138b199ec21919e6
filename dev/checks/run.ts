import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { writeClientTypes } from './client-types.ts';
import { projectRoot } from './source-files.ts';

const knipConfig = ['--config', 'dev/checks/knip.json'];
/** The longest ones first. A run continues after a failure, so that it shows everything to fix. */
const steps: Readonly<Record<string, readonly string[]>> = {
  eslint: ['eslint', '.'],
  prettier: ['prettier', '--check', '--log-level', 'warn', '.'],
  types: ['tsc', '--noEmit', '--pretty', 'false'],
  'dashboard-types': ['tsc', '-p', 'dashboard', '--pretty', 'false'],
  'reference-types': ['tsc', '-p', 'dev/sites/reference', '--pretty', 'false'],
  'guides-types': ['tsc', '-p', 'dev/guides/site', '--pretty', 'false'],
  'workflow-types': ['node', 'dev/checks/workflow-types.ts'],
  'dependency-cruiser': [
    'depcruise',
    '--config',
    'dev/checks/dependency-cruiser.cjs',
    '--output-type',
    'err-long',
    '.',
  ],
  knip: ['knip', ...knipConfig, '--no-progress', '--no-config-hints'],
  'knip-production': ['knip', ...knipConfig, '--strict', '--dependencies', '--no-progress'],
  generated: ['node', 'dev/checks/generate.ts', '--check'],
  'openapi-lint': ['node', 'dev/checks/openapi-lint.ts'],
  folders: ['node', 'dev/checks/folders.ts'],
  'ledger-writes': ['node', 'dev/checks/ledger-writes.ts'],
  migrations: ['node', 'dev/checks/migrations.ts'],
  words: ['node', 'dev/checks/words.ts'],
  language: ['node', 'dev/checks/language.ts'],
  names: ['ava', 'test/dev/checks/names.test.ts'],
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. Choose from ${Object.keys(steps).join(', ')}.`);
  process.exit(1);
}

const binaries = join(projectRoot, 'node_modules', '.bin');
const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env['PATH'] ?? ''}` };
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;
const failed: string[] = [];
const waiting = Object.entries(steps).filter(([name]) => requested.length === 0 || requested.includes(name));

/** Prints the output of a check when it ends, because others run at the same time. */
async function check(name: string, [command = '', ...parameters]: readonly string[]): Promise<void> {
  const startedAtMs = performance.now();
  const { isPassed, output } = await new Promise<{ isPassed: boolean; output: string }>((resolve) => {
    const options = { cwd: projectRoot, env, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(command, parameters, options, (error, stdout, stderr) => {
      const reason = error && typeof error.code !== 'number' ? `${error.message}\n` : '';
      resolve({ isPassed: error === null, output: stdout + stderr + reason });
    });
  });
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  console.log(`── ${name}\n${output}   ${isPassed ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (!isPassed) failed.push(name);
}

async function checkNext(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) await check(...next);
}

await writeClientTypes();
await Promise.all(Array.from({ length: availableParallelism() }, checkNext));
console.log(failed.length === 0 ? 'All checks passed' : `Failed checks: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
