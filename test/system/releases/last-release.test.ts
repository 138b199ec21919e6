import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { copiedPaths, lastRelease, tree } from './last-release.ts';

/** A package that the product no longer uses stays a development package until the release after. */
test('this tree has every package of the last release', async (t) => {
  const release = await lastRelease();
  if (!release) return void t.pass();
  t.teardown(release.remove);
  const { dependencies } = JSON.parse(readFileSync(join(release.root, 'package.json'), 'utf8'));
  const missing = Object.keys(dependencies).filter((name) => !existsSync(join(tree, 'node_modules', name)));
  t.deepEqual(missing, []);
});

test('a version is copied with all sources that the image contains', (t) => {
  const dockerfile = readFileSync(join(tree, 'deploy/Dockerfile'), 'utf8');
  const service = dockerfile.slice(dockerfile.indexOf(' AS service'));
  const copied = [...service.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, path]) => path!);
  t.true(copied.includes('worker'));
  const isCopied = (path: string): boolean => path.startsWith('deploy/') || copiedPaths.includes(path);
  t.deepEqual(
    copied.filter((path) => !isCopied(path)),
    [],
  );
});
