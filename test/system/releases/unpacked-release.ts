import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARCHIVE, keptPaths, lastRelease, type Manifest, unpack } from '../../../dev/release/kept-release.ts';

export interface UnpackedRelease {
  readonly manifest: Manifest;
  /** A folder with the release's sources, which uses the packages of this tree. */
  readonly root: string;
  remove(): Promise<void>;
}

export const tree = join(import.meta.dirname, '../../..');
const packages = join(tree, 'node_modules');

export async function unpackLastRelease(): Promise<UnpackedRelease> {
  const { folder, manifest } = await lastRelease();
  const root = await mkdtemp(join(tmpdir(), `messaging-channels-${manifest.version}-`));
  await unpack(join(folder, ARCHIVE), root);
  await symlink(packages, join(root, 'node_modules'), 'dir');
  return { manifest, root, remove: () => rm(root, { recursive: true, force: true }) };
}

/** Copies this tree as a next version: its workflows differ by a comment, and so its workers by their build id. */
export async function copyAsNext(): Promise<Pick<UnpackedRelease, 'root' | 'remove'>> {
  const root = await mkdtemp(join(tmpdir(), 'messaging-channels-next-'));
  for (const path of keptPaths.filter((path) => !path.startsWith(':')))
    await cp(join(tree, path), join(root, path), { recursive: true });
  await appendFile(join(root, 'workflows/index.ts'), '// The next version.\n');
  await symlink(packages, join(root, 'node_modules'), 'dir');
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
