import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { version } from '../../../contract/version.ts';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { versionTexts } from '../../../dev/checks/version-texts.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');
const readNext = (path: string): string => (path === 'package.json' ? '{ "version": "7.8.9" }' : read(path));

test('all files repeat the version of package.json', (t) => {
  const { version: defined } = JSON.parse(read('package.json'));
  t.is(version, defined);
  for (const [path, text] of Object.entries(versionTexts(read))) t.is(text, read(path), path);
});

test('a new version is written into every file that repeats it', (t) => {
  const texts = versionTexts(readNext);
  for (const [path, text] of Object.entries(texts)) t.true(text.includes('7.8.9'), path);
  t.regex(texts['deploy/helm/messaging-channels/Chart.yaml']!, /^version: 7\.8\.9\nappVersion: 7\.8\.9$/m);
  const lock = JSON.parse(texts['package-lock.json']!);
  t.deepEqual(
    [lock.version, lock.packages[''].version, lock.packages['dev/packages/cli'].version],
    Array(3).fill('7.8.9'),
  );
  t.is(lock.packages['node_modules/koa'].version, JSON.parse(read('package-lock.json')).packages['node_modules/koa'].version); // prettier-ignore
});

test('a file without its version is reported', (t) => {
  const withoutVersion = (path: string): string => (path.endsWith('Chart.yaml') ? 'name: channels\n' : read(path));
  t.throws(() => versionTexts(withoutVersion), { message: /Chart\.yaml has no version/ });
});
