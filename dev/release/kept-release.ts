import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

/**
 * The last release is kept in the tree, so that tests can run it beside the present code. A folder named after the
 * version contains an archive of its sources and a manifest.
 */
export const releasesFolder = join(import.meta.dirname, '../../test/system/releases');

export const ARCHIVE = 'source.tar.gz';
export const MANIFEST = 'manifest.json';

/** What the image copies, and the recorded histories. A test compares it with the Dockerfile. */
export const keptPaths: readonly string[] = [
  'package.json',
  'activities',
  'admin',
  'api',
  'contract',
  'db',
  'egress',
  'gateway',
  'metrics',
  'openapi',
  'platform',
  'process',
  'worker',
  'workflow-starts',
  'workflows',
  ':(glob)test/workflows/histories/**/*.json',
];

const manifest = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  archive: z.strictObject({ bytes: z.int(), sha256: z.string() }),
});

export type Manifest = z.output<typeof manifest>;

export interface KeptRelease {
  readonly folder: string;
  readonly manifest: Manifest;
}

const run = promisify(execFile);
const VERSION_FOLDER = /^\d+\.\d+\.\d+$/;

export function archiveFacts(bytes: Uint8Array): Manifest['archive'] {
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

export async function versionFolders(releases = releasesFolder): Promise<string[]> {
  return (await readdir(releases)).filter((name) => VERSION_FOLDER.test(name));
}

/** Throws unless exactly one release is kept. */
export async function lastRelease(releases = releasesFolder): Promise<KeptRelease> {
  const [version, ...others] = await versionFolders(releases);
  if (version === undefined || others.length > 0) {
    throw new Error(
      `${others.length === 0 ? 'No release' : 'More than one release'} is kept in ${releases}. ${REMEDY}`,
    );
  }
  const folder = join(releases, version);
  return { folder, manifest: manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'))) };
}

const REMEDY = 'Run `npm run release:keep -- <commit>` with the commit of the last release.';

/** Unpacks an archive into a new folder. */
export async function unpack(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', folder]);
}

export async function versionIn(archive: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-channels-release-'));
  try {
    await unpack(archive, folder);
    const text = await readFile(join(folder, 'package.json'), 'utf8');
    return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the disagreements between the kept release, its manifest and the present version. */
export async function releaseProblems(presentVersion: string, releases = releasesFolder): Promise<string[]> {
  let kept: KeptRelease;
  try {
    kept = await lastRelease(releases);
  } catch (error) {
    return [`The last release can't be read: ${error instanceof Error ? error.message : String(error)}`];
  }
  const { folder, manifest } = kept;
  const archive = join(folder, ARCHIVE);
  const facts = archiveFacts(await readFile(archive));
  if (facts.sha256 !== manifest.archive.sha256 || facts.bytes !== manifest.archive.bytes)
    return [`${archive} is not the archive that its manifest describes. ${REMEDY}`];
  const version = await versionIn(archive);
  const claims: [boolean, string][] = [
    [version === manifest.version, `${archive} contains version ${version}, the manifest says ${manifest.version}.`],
    [basename(folder) === manifest.version, `${folder} is not named after version ${manifest.version}.`],
    [isAtMost(version, presentVersion), `The kept release ${version} is newer than the tree's ${presentVersion}.`],
  ];
  return claims.filter(([holds]) => !holds).map(([, problem]) => `${problem} ${REMEDY}`);
}

function isAtMost(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) <= 0;
}
