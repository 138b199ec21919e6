import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keepRelease } from '../../../dev/release/keep-release.ts';
import { keptPaths, releaseProblems } from '../../../dev/release/kept-release.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

async function aFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-kept-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function aTar(t: ExecutionContext, version: string): Promise<Buffer> {
  const folder = await aFolder(t);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ version }));
  return execFileSync('tar', ['-cf', '-', '-C', folder, 'package.json']);
}

test('the same sources give the same bytes', async (t) => {
  const tar = await aTar(t, '1.2.3');
  const [one, other] = [await aFolder(t), await aFolder(t)];
  const manifests = [
    await keepRelease({ tar, commit: COMMIT, releases: one }),
    await keepRelease({ tar, commit: COMMIT, releases: other }),
  ];
  t.deepEqual(manifests[0], manifests[1]);
  for (const name of ['source.tar.gz', 'manifest.json']) {
    t.deepEqual(await readFile(join(one, '1.2.3', name)), await readFile(join(other, '1.2.3', name)));
  }
});

test('only the last release is kept', async (t) => {
  const releases = await aFolder(t);
  await writeFile(join(releases, 'replay.test.ts'), '');
  for (const version of ['1.9.0', '1.10.0'])
    await keepRelease({ tar: await aTar(t, version), commit: COMMIT, releases });
  t.deepEqual((await readdir(releases)).sort(), ['1.10.0', 'replay.test.ts']);
  t.deepEqual(await releaseProblems('1.10.0', releases), []);
  t.deepEqual(await releaseProblems('2.0.0', releases), []);
});

test('an archive without a version is refused', async (t) => {
  const releases = await aFolder(t);
  const folder = await aFolder(t);
  await writeFile(join(folder, 'package.json'), '{}');
  const tar = execFileSync('tar', ['-cf', '-', '-C', folder, 'package.json']);
  await t.throwsAsync(keepRelease({ tar, commit: COMMIT, releases }), { message: /version/ });
  t.deepEqual(await readdir(releases), []);
});

async function aRelease(t: ExecutionContext) {
  const releases = await aFolder(t);
  await keepRelease({ tar: await aTar(t, '1.2.3'), commit: COMMIT, releases });
  const folder = join(releases, '1.2.3');
  return { releases, archive: join(folder, 'source.tar.gz'), manifest: join(folder, 'manifest.json') };
}

test('a changed archive is a problem', async (t) => {
  const { releases, archive } = await aRelease(t);
  await writeFile(archive, Buffer.concat([await readFile(archive), Buffer.alloc(1)]));
  t.regex((await releaseProblems('1.2.3', releases)).join(), /not the archive that its manifest describes/);
});

test('a manifest with another version is a problem', async (t) => {
  const { releases, manifest } = await aRelease(t);
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('1.2.3', '1.2.4'));
  const problems = await releaseProblems('1.2.4', releases);
  t.regex(problems.join(), /contains version 1\.2\.3, the manifest says 1\.2\.4/);
});

test('a kept release newer than the tree is a problem', async (t) => {
  const { releases } = await aRelease(t);
  t.regex((await releaseProblems('1.2.2', releases)).join(), /newer than the tree's 1\.2\.2/);
});

test('a missing release and a second one are problems', async (t) => {
  const releases = await aFolder(t);
  t.regex((await releaseProblems('1.2.3', releases)).join(), /No release is kept/);
  await keepRelease({ tar: await aTar(t, '1.2.3'), commit: COMMIT, releases });
  execFileSync('cp', ['-r', join(releases, '1.2.3'), join(releases, '1.2.2')]);
  t.regex((await releaseProblems('1.2.3', releases)).join(), /More than one release is kept/);
});

test('the release is kept with all sources that the image contains', (t) => {
  const dockerfile = readFileSync(join(import.meta.dirname, '../../../deploy/Dockerfile'), 'utf8');
  const service = dockerfile.slice(dockerfile.indexOf(' AS service'));
  const copied = [...service.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, path]) => path!);
  t.true(copied.includes('worker'));
  const isKept = (path: string): boolean => path.startsWith('deploy/') || keptPaths.includes(path);
  t.deepEqual(
    copied.filter((path) => !isKept(path)),
    [],
  );
});
