import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { projectRoot, sourceFiles } from '../../dev/checks/source-files.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** Returns a folder with the sources and the installed packages, as after `npm ci`: nothing is built in it. */
export async function sourceCopy(t: ExecutionContext<unknown>): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const path of sourceFiles(/./)) await cp(join(projectRoot, path), join(folder, path));
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
