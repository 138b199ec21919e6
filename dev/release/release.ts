import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../checks/source-files.ts';
import { buildPackage, packageNames } from './build-package.ts';
import { generatorDocument } from './generator-document.ts';
import { npmSboms, productionLock } from './production-lock.ts';
import { type Material, provenanceText } from './provenance.ts';
import { readRelease, type Release } from './release-state.ts';
import { outputOf, textOf } from './run-command.ts';
import { packageCycloneDx, packageUrl, serviceCycloneDx, serviceSpdx } from './sbom.ts';

const FOLDER = join(projectRoot, 'dist');
const NAME = 'messaging-channels';

interface Options {
  readonly builder: string;
  readonly source: string;
}

/** Writes all files of a release to `dist/`. The same commit, Node and npm give the same bytes. */
async function writeRelease({ builder, source }: Options): Promise<string> {
  const release = await readRelease();
  const { version } = release;
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER);
  const printed = await npmSboms();
  const bundled = await packPackages(release, printed.cyclonedx);
  await writeSource(release);
  await write(`${NAME}-${version}.cdx.json`, serviceCycloneDx(printed.cyclonedx, { name: NAME, release }));
  await write(`${NAME}-${version}.spdx.json`, serviceSpdx(printed.spdx, release));
  const provenance = provenanceText({
    release,
    builder,
    files: await digests(),
    materials: await materialsOf(release, { source, bundled }),
    tools: { node: process.versions.node, npm: await textOf('npm', ['--version']) },
  });
  await write(`${NAME}-${version}.intoto.json`, provenance);
  const sums = [...(await digests())].map(([name, sha256]) => `${sha256}  ${name}\n`).join('');
  await write('SHA256SUMS', sums);
  return sums;
}

/** Returns the package URLs of everything that the packages contain. */
async function packPackages(release: Release, printedSbom: string): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  for (const name of packageNames) {
    const built = await buildPackage(name);
    const bundled = new Set(await Promise.all(built.bundled.map(installedUrl)));
    for (const url of bundled) all.add(url);
    // Without scripts, because the package is already built.
    const pack = ['pack', '--ignore-scripts', '--pack-destination', FOLDER];
    await outputOf('npm', pack, join(projectRoot, 'dev/packages', name));
    const contents = { name: `@${NAME}/${name}`, bundled };
    await write(`${NAME}-${name}-${release.version}.cdx.json`, packageCycloneDx(printedSbom, contents, release));
  }
  return all;
}

async function installedUrl(name: string): Promise<string> {
  const text = await readFile(join(projectRoot, 'node_modules', name, 'package.json'), 'utf8');
  return packageUrl(name, (JSON.parse(text) as { version: string }).version);
}

async function writeSource({ version }: Release): Promise<void> {
  const tar = await outputOf('git', ['archive', '--format=tar', `--prefix=${NAME}-${version}/`, 'HEAD']);
  // Not compressed by git, whose output depends on the installed gzip.
  await write(`${NAME}-${version}.tar.gz`, gzipSync(tar, { level: 9 }));
  await write(`${NAME}-openapi-${version}.json`, `${JSON.stringify(generatorDocument(), null, 2)}\n`);
}

async function materialsOf(
  { commit }: Release,
  { source, bundled }: { readonly source: string; readonly bundled: ReadonlySet<string> },
): Promise<Material[]> {
  const { packages } = await productionLock();
  const contained = Object.entries(packages).flatMap(([path, { version = '', integrity = '' }]) => {
    const uri = packageUrl(path.replace('node_modules/', ''), version);
    const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
    return bundled.has(uri) ? [{ uri, digest: { sha512 } }] : [];
  });
  const lockText = await readFile(join(projectRoot, 'package-lock.json'));
  return [
    { uri: `${source}@${commit}`, digest: { gitCommit: commit } },
    { uri: 'file:package-lock.json', digest: { sha256: sha256Of(lockText) } },
    ...contained,
  ];
}

/** Returns the names of all files written so far, with their SHA-256. */
async function digests(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(FOLDER)).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, sha256Of(await readFile(join(FOLDER, name)))] as const)),
  );
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const write = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(FOLDER, name), content);

const { values } = parseArgs({
  options: {
    builder: { type: 'string', default: 'urn:messaging-channels:builder:unnamed' },
    source: { type: 'string', default: 'git+urn:messaging-channels:repository' },
  },
});
try {
  console.log(`${await writeRelease(values)}\nWritten to ${FOLDER}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
