import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../process/settings.ts';

/**
 * Prints how much code there is, and how many files a change or an act touches. `--quick` leaves out the acts, which need
 * a running service.
 */
const root = join(import.meta.dirname, '..');

function tracked(...patterns: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...patterns], { cwd: root, encoding: 'utf8' });
  return listed.split('\0').filter((path) => path !== '');
}

function lineCount(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + readFileSync(join(root, path), 'utf8').split('\n').length - 1, 0);
}

/** Files that contain a word, without tests and generated files. */
function mentioning(word: RegExp): number {
  const generated = new Set(['.env.example', 'CHANGELOG.md', 'docs/settings.md']);
  return tracked().filter(
    (path) =>
      !path.startsWith('test/') &&
      !path.startsWith('docs/') &&
      !generated.has(path) &&
      word.test(readFileSync(join(root, path), 'utf8')),
  ).length;
}

const isTest = (path: string): boolean => path.startsWith('test/');
const code = tracked('*.ts', '*.tsx', '*.css');
const product = code.filter((path) => !isTest(path));
const schema = tracked('db/schema/*.sql').map((path) => readFileSync(join(root, path), 'utf8'));
const entries = execFileSync('git', ['ls-tree', '--name-only', 'HEAD'], { cwd: root, encoding: 'utf8' });

const table: readonly (readonly [what: string, count: number])[] = [
  ['product lines', lineCount(product)],
  ['product files', product.length],
  ['test lines', lineCount(code.filter(isTest))],
  ['test files', code.filter(isTest).length],
  ['root entries', entries.trim().split('\n').length],
  ['tables', schema.join('\n').match(/^create table /gm)?.length ?? 0],
  ['settings', Object.keys(settings).length],
  [
    'files of a field of a subscription (traceParent)',
    mentioning(/\b(sendsTraceParent|traceHeader|sends_trace_parent)\b/),
  ],
  ['files of a workflow type (refreshCredential)', mentioning(/\brefreshCredential\b/)],
  ['files of a setting (CREDENTIAL_REFRESH_DAYS)', mentioning(/\bCREDENTIAL_REFRESH_DAYS\b/)],
];
for (const [what, count] of table) console.log(`${what.padEnd(52)}${count.toLocaleString('en').padStart(9)}`);

if (!process.argv.includes('--quick')) {
  spawnSync(process.execPath, [join(root, 'bench/main.ts'), 'files'], { stdio: 'inherit' });
}
