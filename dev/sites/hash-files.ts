import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns a hash of the names and contents of files of a folder. A missing file counts as an empty one. */
export async function hashFiles(folder: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [...new Set(paths)].sort()) {
    const content = await readFile(join(folder, path)).catch(() => '');
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Returns the paths of a folder's files, from `root`. With `isDeep`, also those of the folders in it. */
export async function listFiles(root: string, folder: string, { isDeep }: { isDeep: boolean }): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: isDeep, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
