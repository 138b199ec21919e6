import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** PostgreSQL may run as another OS user, which must be able to pass through the folder. */
const FOLDER_MODE = 0o711;
const FILE_MODE = 0o600;

/**
 * Creates the folder of a development installation. No other OS user may list it or read its files: Temporal's database
 * has the workflows, the logs have addresses. Also closes the files that an earlier release left readable.
 */
export async function privateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
  await close(path, FOLDER_MODE);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile()) await close(join(path, entry.name), FILE_MODE);
  }
}

async function close(path: string, allowed: number): Promise<void> {
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & ~allowed) !== 0) await chmod(path, mode & allowed);
}
