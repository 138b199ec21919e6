/**
 * Keeps the sources of a release in the tree, in place of the previous one: `npm run release:keep -- [commit]`. The
 * same commit gives the same bytes.
 */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import {
  ARCHIVE,
  archiveFacts,
  keptPaths,
  type Manifest,
  MANIFEST,
  releasesFolder,
  versionFolders,
  versionIn,
} from './kept-release.ts';

export interface KeepRelease {
  /** An uncompressed archive with the release's `package.json`. */
  readonly tar: Uint8Array;
  readonly commit: string;
  /** Optional. Default: the tree's folder. */
  readonly releases?: string;
}

/** Writes archive and manifest, and removes the release that was kept before. */
export async function keepRelease({ tar, commit, releases = releasesFolder }: KeepRelease): Promise<Manifest> {
  const draft = join(releases, 'draft');
  await mkdir(draft, { recursive: true });
  try {
    // The header of the compressed file has no time.
    const archive = gzipSync(tar, { level: 9 });
    await writeFile(join(draft, ARCHIVE), archive);
    const version = await versionIn(join(draft, ARCHIVE));
    const manifest = { version, commit, archive: archiveFacts(archive) };
    for (const kept of await versionFolders(releases)) await rm(join(releases, kept), { recursive: true });
    const folder = join(releases, version);
    await mkdir(folder);
    await writeFile(join(folder, ARCHIVE), archive);
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const run = promisify(execFile);
const MAX_TAR_BYTES = 256 * 1024 ** 2;
const root = join(import.meta.dirname, '../..');

async function git(...parameters: string[]): Promise<Buffer> {
  const { stdout } = await run('git', parameters, { cwd: root, encoding: 'buffer', maxBuffer: MAX_TAR_BYTES });
  return stdout;
}

if (import.meta.main) {
  const [wanted = 'HEAD'] = process.argv.slice(2);
  const commit = (await git('rev-parse', '--verify', `${wanted}^{commit}`)).toString().trim();
  // A user's own settings would change the bytes.
  const settings = ['-c', 'core.autocrlf=false', '-c', 'tar.umask=0022'];
  const tar = await git(...settings, 'archive', '--format=tar', commit, '--', ...keptPaths);
  const { version, archive } = await keepRelease({ tar, commit });
  console.log(`Kept release ${version} (${commit}), ${archive.bytes} bytes.`);
}
